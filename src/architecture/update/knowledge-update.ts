import { applyOperation } from '../edit/apply-operation.ts';
import { type Operation, type Refusal, refusal } from '../edit/operation.ts';
import type { GraphFile, GraphText } from '../file/graph-file.ts';
import { type ArchitectureGraph, attributeOf } from '../graph/architecture-graph.ts';
import { readGraph } from '../graph/read-graph.ts';
import { BUILT_IN_SCHEMA, type KnowledgeSchema } from '../schema/knowledge-schema.ts';
import { compareFaults, formatGraphFault, type GraphFault } from '../validation/graph-fault.ts';
import type { GraphChange } from '../validation/judge-change.ts';
import { validateGraph } from '../validation/validate-graph.ts';
import { numbered, parseRequest } from './parse-request.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface KnowledgeUpdateOptions {
  /** Default: the built-in schema. */
  schema?: KnowledgeSchema;
  /** Called after a write, still under the lock, so that changes are recorded in order. */
  onWritten?: (change: GraphChange) => Promise<void>;
}

export interface KnowledgeUpdated {
  ok: true;
  /** False for a dry run, and if nothing changed. */
  written: boolean;
  /** One line per operation. */
  changes: string[];
  diff: string;
  /** Faults that existed before. */
  faults: GraphFault[];
  warnings: GraphFault[];
}

export interface KnowledgeUpdateRefused extends Refusal {
  /** Faults that the change would add. */
  faults: GraphFault[];
}

export type KnowledgeUpdateResult = KnowledgeUpdated | KnowledgeUpdateRefused;

/** Initial content of a missing or empty file. */
export const EMPTY_GRAPH = 'digraph knowledge {\n}\n';

/** Attempts, if something changes the file without taking the lock. */
const ATTEMPTS = 3;

/**
 * Applies one or more operations to the graph file, all or none. Refuses a change that adds a fault; existing faults may
 * stay, and are reported.
 */
export async function knowledgeUpdate(
  request: unknown,
  file: GraphFile,
  { schema = BUILT_IN_SCHEMA, onWritten }: KnowledgeUpdateOptions = {},
): Promise<KnowledgeUpdateResult> {
  const parsed = parseRequest(request, schema);
  if (!parsed.ok) return { ...parsed, faults: [] };
  const { operations, dryRun } = parsed;
  if (dryRun) return updateText(await file.read(), operations, file, schema).then(({ result }) => result);
  return file.exclusively(async () => {
    for (let attempt = 1; ; attempt++) {
      const current = await file.read();
      const { result, text } = await updateText(current, operations, file, schema);
      if (!result.ok || text === undefined || text === current?.text) return result;
      const written = await file.write(text, current);
      if (written.ok) {
        await onWritten?.({ before: current?.text, after: text });
        return { ...result, written: true };
      }
      if (attempt === ATTEMPTS) return changedMeanwhile(file.name);
    }
  });
}

interface UpdatedText {
  result: KnowledgeUpdateResult;
  text?: string;
}

async function updateText(
  current: GraphText | undefined,
  operations: readonly Operation[],
  file: GraphFile,
  schema: KnowledgeSchema,
): Promise<UpdatedText> {
  const isNew = current === undefined || current.text.trim() === '';
  const read = readGraph(isNew ? EMPTY_GRAPH : current.text);
  if (!read.ok) {
    const { line, column, message } = read.fault;
    const hint = 'Nothing was changed. Fix that line in the file first.';
    return refused(refusal(read.fault.code, `${file.name}:${line}:${column}: ${message}.`, hint));
  }
  const before = read.graph;
  const applied = applyAll(before, operations);
  if (!applied.ok) return refused(applied);
  const { graph, changes, renamed } = applied;
  const missingPaths = await file.missing(pathsOf(graph));
  const oldIds = new Set([...before.nodes.keys(), ...renamed.values()]);
  const after = validateGraph(graph, schema, { missingPaths, oldIds });
  const { added, remaining } = compareFaults(validateGraph(before, schema).faults, after.faults, renamed);
  if (added.length > 0) return refused(addsFaults(file.name, added), added);
  return {
    text: graph.text,
    result: {
      ok: true,
      written: false,
      changes,
      diff: unifiedDiff(file.name, current?.text, graph.text),
      faults: remaining,
      warnings: after.warnings,
    },
  };
}

type AppliedAll =
  | { ok: true; graph: ArchitectureGraph; changes: string[]; renamed: Map<string, string> }
  | Refusal;

function applyAll(start: ArchitectureGraph, operations: readonly Operation[]): AppliedAll {
  let graph = start;
  const changes: string[] = [];
  const renamed = new Map<string, string>();
  for (const [index, operation] of operations.entries()) {
    const applied = applyOperation(graph, operation);
    if (!applied.ok)
      return withNothingChanged(numbered(applied, index, operations.length), operations.length);
    ({ graph } = applied);
    changes.push(applied.summary);
    if (applied.renamed) {
      const { from, to } = applied.renamed;
      for (const [old, now] of renamed) if (now === from) renamed.set(old, to);
      if (start.nodes.has(from) && !renamed.has(from)) renamed.set(from, to);
    }
  }
  return { ok: true, graph, changes, renamed };
}

function withNothingChanged(refused: Refusal, count: number): Refusal {
  return count === 1 ? refused : { ...refused, hint: `${refused.hint} None of the operations was applied.` };
}

/** The paths of all nodes. */
export function pathsOf({ nodes }: ArchitectureGraph): string[] {
  const paths = new Set<string>();
  for (const node of nodes.values()) {
    const path = node.declared ? attributeOf(node, 'path') : undefined;
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
}

function addsFaults(name: string, added: readonly GraphFault[]): Refusal {
  const lines = added.slice(0, 10).map((fault) => fault.message);
  return refusal(
    'graph.worse',
    `This would add ${added.length === 1 ? 'a fault' : `${added.length} faults`} to ${name}: ${lines.join('; ')}`.replace(
      /[^?]$/,
      '$&.',
    ),
    'Nothing was changed. Fix this in the same call, with further parameters or `operations`.',
  );
}

function refused(refusal: Refusal, faults: GraphFault[] = []): UpdatedText {
  return { result: { ...refusal, faults } };
}

function changedMeanwhile(name: string): KnowledgeUpdateRefused {
  const message = `Another program changed ${name} during the update.`;
  return {
    ...refusal('graph.changed', message, 'Nothing was written. Repeat the call.'),
    faults: [],
  };
}

/** The first faults, one line each, with file and position. */
export function describeFaults(name: string, faults: readonly GraphFault[], most = 20): string[] {
  const lines = faults.slice(0, most).map((fault) => formatGraphFault(name, fault));
  return faults.length > most ? [...lines, `… and ${faults.length - most} more`] : lines;
}
