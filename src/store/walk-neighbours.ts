import { GuardKitError } from '../guardkit-error.ts';
import type { EntityRef, Neighbour } from './episode-store.ts';

const MAX_DEPTH = 10;
/** A longer list is of no use to a person. */
const MAX_NEIGHBOURS = 1000;

export interface Step {
  from: EntityRef;
  relation: string;
  to: EntityRef;
}

/** Breadth first from `start`, in both directions, each entity once. `steps` returns the edges at an entity. */
export async function walkNeighbours(
  start: EntityRef,
  depth: number,
  steps: (at: EntityRef) => Promise<Step[]>,
): Promise<Neighbour[]> {
  if (!Number.isInteger(depth) || depth < 1 || depth > MAX_DEPTH) {
    throw new GuardKitError({
      code: 'neighbours.depth',
      kind: 'input',
      message: `Invalid depth: ${depth}.`,
      hint: `Use a whole number from 1 to ${MAX_DEPTH}.`,
    });
  }
  const seen = new Set([key(start)]);
  const found: Neighbour[] = [];
  let frontier = [start];
  for (let level = 1; level <= depth && frontier.length > 0; level++) {
    const next: EntityRef[] = [];
    for (const via of frontier) {
      for (const step of await steps(via)) {
        const direction = key(step.from) === key(via) ? 'out' : 'in';
        const other = direction === 'out' ? step.to : step.from;
        if (seen.has(key(other))) continue;
        seen.add(key(other));
        next.push(other);
        found.push({ ...other, relation: step.relation, direction, depth: level, via });
        if (found.length >= MAX_NEIGHBOURS) return found;
      }
    }
    frontier = next;
  }
  return found;
}

function key({ scope, id }: EntityRef): string {
  return `${scope} ${id}`;
}
