import type { TraitKind, Traits } from './read-traits.ts';
import { shareOf, traitKey } from './trait-key.ts';
import { BEFORE_ALL, STEP, WEIGHTS } from './weights.ts';

/** How much a trait speaks for a correction, by the logarithm of the odds; against one where it is less than nothing. */
export interface WeighedTrait {
  kind: TraitKind;
  trait: string;
  weight: number;
}

/** The traits that weigh anything, the heaviest first. */
export function weighTraits(traits: Traits): WeighedTrait[] {
  return weighed(traits).sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

/** The odds that a prompt with these traits corrects, as their logarithm. */
export function oddsOf(traits: Traits): number {
  let odds = BEFORE_ALL;
  for (const { weight } of weighed(traits)) odds += weight;
  return odds;
}

function weighed(traits: Traits): WeighedTrait[] {
  const found: WeighedTrait[] = [];
  for (const [kind, ofKind] of traits) {
    const share = shareOf(kind, ofKind.size);
    for (const trait of ofKind) {
      const steps = stepsOf(traitKey(kind, trait));
      if (steps !== 0) found.push({ kind, trait, weight: steps * STEP * share });
    }
  }
  return found;
}

let table: Uint32Array | undefined;

/** The table has a number for each trait, in order: its key and then its weight, in a byte of steps around 128. */
function stepsOf(key: number): number {
  table ??= readTable();
  let from = 0;
  let to = table.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const entry = table[middle] ?? 0;
    if (entry >>> 8 === key) return (entry & 0xff) - 128;
    if (entry >>> 8 < key) from = middle + 1;
    else to = middle;
  }
  return 0;
}

function readTable(): Uint32Array {
  const bytes = Uint8Array.from(Buffer.from(WEIGHTS, 'base64'));
  const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
  if (!isLittleEndian) Buffer.from(bytes.buffer).swap32();
  return new Uint32Array(bytes.buffer);
}
