import type { EntityKey } from './version-batch.ts';

/** Separates our advisory locks from those of other programs in the same database: GKEP. */
export const LOCK_CLASS = 0x474b4550;

/** Entities share this many locks: the server has few, and a call may write thousands of entities. */
const BUCKETS = 256;

export const ALL_BUCKETS: readonly number[] = Array.from({ length: BUCKETS }, (_, bucket) => bucket);

/** The locks for these entities, in the order in which every process takes them. */
export function buckets(entities: readonly EntityKey[]): number[] {
  const found = new Set(entities.map(({ groupId, entityId }) => bucketOf(`${groupId} ${entityId}`)));
  return [...found].sort((a, b) => a - b);
}

/** Starts a transaction with these locks. Its reads see every write that it waited for. */
export function beginLocked(locks: readonly number[]): string {
  if (locks.length === 0) return 'BEGIN';
  return `BEGIN; SELECT pg_advisory_xact_lock(${LOCK_CLASS}, bucket) FROM unnest(ARRAY[${locks.join(',')}]) AS bucket`;
}

/** FNV-1a. */
function bucketOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % BUCKETS;
}
