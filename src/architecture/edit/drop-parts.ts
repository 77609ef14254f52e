import {
  type Body,
  type EdgeEnd,
  type EdgeStatement,
  type NodeGroup,
  nameOf,
  type Statement,
  writeAtom,
} from '../dot/dot-syntax.ts';
import type { ArchitectureGraph } from '../graph/architecture-graph.ts';
import { type FileStyle, indentAt } from './file-style.ts';
import { removeStatement, sliceWithPatches, type TextPatch } from './statement-edits.ts';

/** The node or edges to remove from a file. */
export interface Dropped {
  node?: string;
  /** The edges to remove, by statement and link. */
  edges?: ReadonlyMap<EdgeStatement, ReadonlyMap<number, DroppedLink>>;
}

/** A removed link between two ends of a statement; its other edges, the survivors, are written as separate statements. */
export interface DroppedLink {
  survivors: readonly { from: string; to: string }[];
}

export interface DropOptions {
  style: FileStyle;
  /** Nodes to name again where a removed edge named them; that may have been their first or only mention. */
  keepNamed(id: string): boolean;
}

/** Removes a node or some edges, and keeps everything else in the statements. */
export function dropParts(graph: ArchitectureGraph, dropped: Dropped, options: DropOptions): TextPatch[] {
  const patches: TextPatch[] = [];
  dropFromBody(graph.text, graph.tree.body, dropped, options, patches);
  return patches;
}

function dropFromBody(
  text: string,
  { statements }: Body,
  dropped: Dropped,
  options: DropOptions,
  patches: TextPatch[],
): void {
  for (const statement of statements) {
    switch (statement.type) {
      case 'subgraph':
        dropFromBody(text, statement.subgraph.body, dropped, options, patches);
        break;
      case 'nodes': {
        const kept = keptNodes(statement.group, dropped.node);
        if (kept.length === 0) patches.push(removeStatement(text, statement));
        else patches.push(...thinGroup(statement.group, dropped.node));
        break;
      }
      case 'edge':
        patches.push(...dropFromEdge(text, statement, dropped, options));
        break;
    }
  }
}

function dropFromEdge(
  text: string,
  statement: EdgeStatement,
  dropped: Dropped,
  options: DropOptions,
): TextPatch[] {
  const inner: TextPatch[] = [];
  for (const end of statement.ends) {
    if (end.type === 'subgraph') dropFromBody(text, end.body, dropped, options, inner);
    else if (keptNodes(end, dropped.node).length > 0) inner.push(...thinGroup(end, dropped.node));
  }
  const links = dropped.edges?.get(statement);
  const runs = splitRuns(statement.ends, dropped.node, links);
  if (runs.length === 1 && runs[0]?.length === statement.ends.length) return inner;
  const lists = text.slice(statement.ends.at(-1)?.end, statement.end);
  const pieces = runs.flatMap((run) => {
    const [first] = run;
    const last = run.at(-1);
    if (!first || !last) return [];
    const ends = sliceWithPatches(text, first.start, last.end, inner);
    if (run.length > 1) return [ends + lists];
    if (first.type === 'subgraph') return [ends];
    const named = keptNodes(first, dropped.node).filter(({ id }) => options.keepNamed(nameOf(id)));
    return named.length > 0 ? [named.map(({ id }) => text.slice(id.start, id.end)).join(', ')] : [];
  });
  const { style } = options;
  for (const { survivors } of links?.values() ?? []) {
    for (const { from, to } of survivors) {
      pieces.push([from, to].map((id) => writeAtom(id, style.ids)).join(style.arrow) + lists);
    }
  }
  if (pieces.length === 0) return [removeStatement(text, statement)];
  return [replaceStatement(text, statement, pieces, style)];
}

/** Groups of ends that stay connected. */
function splitRuns(
  ends: readonly EdgeEnd[],
  node: string | undefined,
  links: ReadonlyMap<number, DroppedLink> | undefined,
): EdgeEnd[][] {
  const runs: EdgeEnd[][] = [];
  let run: EdgeEnd[] = [];
  const finish = () => {
    if (run.length > 0) runs.push(run);
    run = [];
  };
  ends.forEach((end, index) => {
    if (end.type === 'group' && keptNodes(end, node).length === 0) finish();
    else run.push(end);
    if (links?.has(index)) finish();
  });
  finish();
  return runs;
}

function replaceStatement(
  text: string,
  { start, end, semicolon }: Statement,
  pieces: readonly string[],
  style: FileStyle,
): TextPatch {
  const indent = indentAt(text, start);
  const mark = semicolon !== -1 || style.semicolons ? ';' : '';
  const between = indent === undefined ? `${mark} ` : `${mark}${style.newline}${indent}`;
  return { start, end, text: pieces.join(between) };
}

function keptNodes({ nodes }: NodeGroup, node: string | undefined): NodeGroup['nodes'] {
  return node === undefined ? nodes : nodes.filter(({ id }) => nameOf(id) !== node);
}

/** Removes a node from `a, b, c`, with one comma. */
function thinGroup(group: NodeGroup, node: string | undefined): TextPatch[] {
  if (keptNodes(group, node).length === group.nodes.length) return [];
  const patches: TextPatch[] = [];
  let keptEnd: number | undefined;
  group.nodes.forEach((reference, index) => {
    if (nameOf(reference.id) !== node) keptEnd = reference.end;
    else if (keptEnd === undefined) {
      const next = group.nodes[index + 1];
      patches.push({ start: reference.start, end: next?.start ?? reference.end, text: '' });
    } else {
      patches.push({ start: keptEnd, end: reference.end, text: '' });
      keptEnd = reference.end;
    }
  });
  return patches;
}
