import type { TraitKind } from './read-traits.ts';

/** Traits of a kind share what they weigh; circumstances are as many in every prompt. */
export function shareOf(kind: TraitKind, count: number): number {
  return kind === 'circumstances' ? 1 : 1 / Math.sqrt(count);
}

/** 24 bits that a trait is known by in the table; which of some thousand traits a stranger's one is taken for is chance. */
export function traitKey(kind: TraitKind, trait: string): number {
  let hash = 0x811c9dc5;
  const text = `${kind} ${trait}`;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The lower bits of such a hash are its better ones, once they are mixed.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return (hash >>> 0) & 0xffffff;
}
