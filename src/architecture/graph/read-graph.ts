import { DotFault } from '../dot/dot-fault.ts';
import { LineIndex } from '../dot/line-index.ts';
import { type DotRefusal, readDot } from '../dot/read-dot.ts';
import type { ArchitectureGraph } from './architecture-graph.ts';
import { buildGraph } from './build-graph.ts';

export type GraphResult = { ok: true; graph: ArchitectureGraph } | { ok: false; fault: DotRefusal };

/** The graph that a text holds, or why it holds none. */
export function readGraph(text: string): GraphResult {
  const read = readDot(text);
  if (!read.ok) return read;
  try {
    return { ok: true, graph: buildGraph(text, read.tree) };
  } catch (error) {
    if (!(error instanceof DotFault)) throw error;
    const place = new LineIndex(text).placeOf(error.offset);
    return { ok: false, fault: { code: error.code, message: error.message, ...place } };
  }
}
