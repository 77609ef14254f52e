import { faultKey, type GraphFault } from './graph-fault.ts';

export interface ComparedFaults {
  /** Not in the graph before: these are refused. */
  added: GraphFault[];
  /** There before, and still there. */
  remaining: GraphFault[];
}

/**
 * Which faults are new. A graph that is broken already can be mended step by step, if only what makes it worse is
 * refused. `renamed` tells what nodes are called now.
 */
export function compareFaults(
  before: readonly GraphFault[],
  after: readonly GraphFault[],
  renamed: ReadonlyMap<string, string> = new Map(),
): ComparedFaults {
  const known = new Map<string, number>();
  for (const fault of before) {
    const key = faultKey(rename(fault, renamed));
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  const added: GraphFault[] = [];
  const remaining: GraphFault[] = [];
  for (const fault of after) {
    const key = faultKey(fault);
    const left = known.get(key) ?? 0;
    if (left > 0) known.set(key, left - 1);
    (left > 0 ? remaining : added).push(fault);
  }
  return { added, remaining };
}

function rename(fault: GraphFault, renamed: ReadonlyMap<string, string>): GraphFault {
  if (renamed.size === 0) return fault;
  const now = (id: string) => renamed.get(id) ?? id;
  return {
    ...fault,
    ...(fault.node === undefined ? {} : { node: now(fault.node) }),
    ...(fault.edge ? { edge: { ...fault.edge, from: now(fault.edge.from), to: now(fault.edge.to) } } : {}),
    ...(fault.code === 'edge.end' && fault.found !== undefined ? { found: now(fault.found) } : {}),
  };
}
