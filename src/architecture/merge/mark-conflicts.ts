import type { Statement } from '../dot/dot-syntax.ts';
import { indentAt } from '../edit/file-style.ts';
import { endOfLine } from '../edit/insert-statement.ts';
import { edgeAnchor, nodeAnchor } from '../edit/statement-anchors.ts';
import { applyPatches, type TextPatch } from '../edit/text-patch.ts';
import { type ArchitectureGraph, attributeOf } from '../graph/architecture-graph.ts';
import { conflictBlock } from './merge-lines.ts';
import type { MergeConflict } from './plan-merge.ts';

/** Our text with both versions of each conflict between git's markers; undefined where lines cannot show it. */
export function markConflicts(
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
  // Two insertions at one place, or one inside the other's lines, cannot be told apart.
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

/** A statement with its lines, if it has them to itself. */
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
