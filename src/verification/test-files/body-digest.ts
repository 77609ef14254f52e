import { sha256 } from '../../domain/json/json.ts';

const SKETCH_SIZE = 48;

/** Identifies a body by its tokens. */
export function bodyDigest(texts: readonly string[]): string {
  return sha256(texts.join('\u0001'));
}

/** The smallest hashes of all neighbouring triples: what two bodies share of them is what they share altogether. */
export function sketchBody(texts: readonly string[]): number[] {
  const hashes = new Set<number>();
  let first = 0;
  let second = 0;
  for (const text of texts) {
    const third = hashText(text);
    hashes.add((Math.imul(first, 31) + Math.imul(second, 17) + third) >>> 0);
    first = second;
    second = third;
  }
  return [...hashes].sort((a, b) => a - b).slice(0, SKETCH_SIZE);
}

/** From 0 to 1. */
export function sketchLikeness(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const all = [...new Set([...a, ...b])].sort((x, y) => x - y).slice(0, SKETCH_SIZE);
  const inA = new Set(a);
  const inB = new Set(b);
  return all.filter((one) => inA.has(one) && inB.has(one)).length / all.length;
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  const end = Math.min(text.length, 200);
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
