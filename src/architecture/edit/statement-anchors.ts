import type { DotTree, Statement } from '../dot/dot-syntax.ts';

/** After what a new node is written: the last node of the graph itself, else what stands before its first edge. */
export function nodeAnchor({ body: { statements } }: DotTree): Statement | undefined {
  const last = statements.findLast(({ type }) => type === 'nodes');
  if (last) return last;
  const firstEdge = statements.findIndex(({ type }) => type === 'edge');
  return firstEdge > 0 ? statements[firstEdge - 1] : statements.at(-1);
}

/** After what a new edge is written: the last edge, else the last statement. */
export function edgeAnchor({ body: { statements } }: DotTree): Statement | undefined {
  return statements.findLast(({ type }) => type === 'edge') ?? statements.at(-1);
}
