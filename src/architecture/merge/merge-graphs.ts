import { listComments } from '../dot/dot-scanner.ts';
import type { Body, Statement } from '../dot/dot-syntax.ts';
import { applyOperation } from '../edit/apply-operation.ts';
import { indentAt } from '../edit/file-style.ts';
import { applyPatches, edgeAnchor, endOfLine, nodeAnchor, type TextPatch } from '../edit/statement-edits.ts';
import { type ArchitectureGraph, attributeOf } from '../graph/architecture-graph.ts';
import { graphDifference } from '../graph/graph-difference.ts';
import { readGraph } from '../graph/read-graph.ts';
import { conflictBlock, mergeLines } from './merge-lines.ts';
import { type MergeConflict, type MergePlan, planMerge } from './plan-merge.ts';

export interface MergeInput {
  base: string;
  ours: string;
  theirs: string;
}

export interface MergeResult {
  text: string;
  /** Empty if everything was merged; otherwise marked in the text as git does. */
  conflicts: MergeConflict[];
}

/**
 * Merges two versions by node and edge: two new nodes on the same line do not conflict, one node changed in two ways does,
 * on any lines. Everything else, mainly comments, is merged by lines.
 */
export function mergeGraphs({ base, ours, theirs }: MergeInput): MergeResult {
  if (ours === theirs || base === theirs) return { text: ours, conflicts: [] };
  if (base === ours) return { text: theirs, conflicts: [] };
  const byLines = mergeLines(base, ours, theirs);
  const read = [base.trim() === '' ? 'digraph {}' : base, ours, theirs].map(readGraph);
  const [was, mine, other] = read.map((one) => (one.ok ? one.graph : undefined));
  // If a side cannot be parsed, only a merge by lines is possible.
  if (!was || !mine || !other) return lineResult(byLines, { ours, theirs });
  const plan = planMerge(was, mine, other);
  const merged = applyPlan(mine, plan);
  if (plan.conflicts.length === 0 && byLines.conflicts === 0) {
    const lines = readGraph(byLines.text);
    if (lines.ok && (!merged || isSameContent(lines.graph, merged)))
      return { text: byLines.text, conflicts: [] };
  }
  const onlyNodes = isSameFrame(was, other);
  if (merged && onlyNodes) {
    if (plan.conflicts.length === 0) return { text: merged.text, conflicts: [] };
    const marked = markConflicts(merged, other, plan.conflicts);
    if (marked !== undefined) return { text: marked, conflicts: plan.conflicts };
  } else if (plan.conflicts.length === 0 && isSameFrame(was, mine)) {
    const turned = planMerge(was, other, mine);
    const swapped = turned.conflicts.length === 0 ? applyPlan(other, turned) : undefined;
    if (swapped) return { text: swapped.text, conflicts: [] };
  }
  return lineResult(byLines, { ours, theirs }, plan.conflicts);
}

function applyPlan(start: ArchitectureGraph, { operations }: MergePlan): ArchitectureGraph | undefined {
  let graph = start;
  for (const operation of operations) {
    const applied = applyOperation(graph, operation);
    if (!applied.ok) return undefined;
    ({ graph } = applied);
  }
  return graph;
}

function isSameContent(a: ArchitectureGraph, b: ArchitectureGraph): boolean {
  const { added, removed, changed, addedEdges, removedEdges } = graphDifference(a, b);
  return added.length + removed.length + changed.length + addedEdges.length + removedEdges.length === 0;
}

/** Whether two versions differ only in nodes and edges, not in comments, defaults, subgraphs or graph attributes. */
function isSameFrame(a: ArchitectureGraph, b: ArchitectureGraph): boolean {
  return frameOf(a) === frameOf(b);
}

function frameOf({ text, tree }: ArchitectureGraph): string {
  const parts: unknown[] = [tree.strict, tree.directed, tree.id?.value, ...listComments(text, tree.directed)];
  const visit = ({ statements }: Body) => {
    for (const statement of statements) {
      if (statement.type === 'assign' || statement.type === 'defaults') {
        parts.push(text.slice(statement.start, statement.end));
      }
      const ends = statement.type === 'edge' ? statement.ends : [];
      const inner = statement.type === 'subgraph' ? [statement.subgraph] : ends;
      for (const end of inner) {
        if (end.type !== 'subgraph') continue;
        parts.push('{', end.id?.value ?? '');
        visit(end.body);
        parts.push('}');
      }
    }
  };
  visit(tree.body);
  return JSON.stringify(parts);
}

/** The merge by lines; if the lines merge but the content conflicts, both whole versions between markers. */
function lineResult(
  byLines: ReturnType<typeof mergeLines>,
  { ours, theirs }: Pick<MergeInput, 'ours' | 'theirs'>,
  conflicts: readonly MergeConflict[] = [],
): MergeResult {
  if (byLines.conflicts > 0) {
    const why = `both sides changed the same lines in ${byLines.conflicts === 1 ? 'one place' : `${byLines.conflicts} places`}`;
    return { text: byLines.text, conflicts: conflicts.length > 0 ? [...conflicts] : [{ why }] };
  }
  const isClean = conflicts.length === 0 && readGraph(byLines.text).ok;
  if (isClean) return { text: byLines.text, conflicts: [] };
  const why = 'the merge by lines is not a valid graph';
  return { text: conflictBlock(ours, theirs), conflicts: conflicts.length > 0 ? [...conflicts] : [{ why }] };
}

/** Our text with both versions of each conflict between git's markers; undefined if whole lines cannot show them. */
function markConflicts(
  ours: ArchitectureGraph,
  theirs: ArchitectureGraph,
  conflicts: readonly MergeConflict[],
): string | undefined {
  const patches: TextPatch[] = [];
  const done = new Set<Statement>();
  for (const conflict of conflicts) {
    const mine = statementsOf(ours, conflict);
    const other = statementsOf(theirs, conflict);
    const theirText = other.map((statement) => wholeLines(theirs.text, statement)?.text);
    if (theirText.includes(undefined) || mine.length > 1) return undefined;
    const [statement] = mine;
    if (statement && done.has(statement)) continue;
    const place = statement ? wholeLines(ours.text, statement) : insertionPlace(ours, conflict);
    if (!place) return undefined;
    if (statement) done.add(statement);
    patches.push({ start: place.start, end: place.end, text: conflictBlock(place.text, theirText.join('')) });
  }
  // Conflicts that overlap cannot be shown separately.
  const sorted = patches.toSorted((a, b) => a.start - b.start);
  const isApart = sorted.every((patch, index) => index === 0 || patch.start >= (sorted[index - 1]?.end ?? 0));
  return isApart ? applyPatches(ours.text, sorted) : undefined;
}

function statementsOf(graph: ArchitectureGraph, { node, edge }: MergeConflict): Statement[] {
  if (node !== undefined) {
    const mentions = graph.nodes.get(node)?.mentions ?? [];
    return [...new Set(mentions.map(({ statement }) => statement))].filter(({ type }) => type === 'nodes');
  }
  const places = graph.edges
    .filter(
      (one) =>
        one.from === edge?.from &&
        one.to === edge.to &&
        (attributeOf(one, 'relation') ?? '') === edge.relation,
    )
    .flatMap((one) => one.places.map(({ statement }) => statement));
  return [...new Set(places)];
}

/** The lines of a statement; undefined if it shares them with other text. */
function wholeLines(text: string, statement: Statement): TextPatch | undefined {
  const indent = indentAt(text, statement.start);
  const lineEnd = endOfLine(text, statement.semicolon === -1 ? statement.end : statement.semicolon + 1);
  if (indent === undefined || lineEnd === undefined) return undefined;
  const start = statement.start - indent.length;
  const end = text.indexOf('\n', lineEnd) + 1;
  return { start, end, text: text.slice(start, end) };
}

function insertionPlace({ text, tree }: ArchitectureGraph, { node }: MergeConflict): TextPatch | undefined {
  const anchor = node === undefined ? edgeAnchor(tree) : nodeAnchor(tree);
  const lines = anchor && wholeLines(text, anchor);
  return lines && { start: lines.end, end: lines.end, text: '' };
}
