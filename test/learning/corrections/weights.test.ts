import { expect, it } from 'vitest';
import { readTraits } from '../../../src/learning/corrections/read-traits.ts';
import { traitKey } from '../../../src/learning/corrections/trait-key.ts';
import { WEIGHTS } from '../../../src/learning/corrections/weights.ts';
import { readCorrectionSamples } from '../correction-samples/read-correction-samples.ts';

/** As `scripts/fit-corrections.js` writes it: the key of a trait, then its weight in a byte. */
function keysOfTable(): number[] {
  const bytes = Buffer.from(WEIGHTS, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_one, index) => bytes.readUInt32LE(index * 4) >>> 8);
}

it('the table of weights has its traits in order, each once', () => {
  const keys = keysOfTable();
  expect(keys.length).toBeGreaterThan(10_000);
  expect(keys.findIndex((key, index) => index > 0 && key <= (keys[index - 1] ?? 0))).toBe(-1);
});

it('the table of weights is the one of these samples: it knows no trait that none of them has', () => {
  const found = new Set<number>();
  for (const { prompt, before } of readCorrectionSamples())
    for (const [kind, traits] of readTraits(prompt, before) ?? [])
      for (const trait of traits) found.add(traitKey(kind, trait));
  expect(keysOfTable().filter((key) => !found.has(key))).toEqual([]);
});
