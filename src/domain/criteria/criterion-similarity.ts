import { normalizeCriterionText } from './criterion.ts';

/** More words than a criterion needs; what follows no longer changes how alike two are. */
const MAX_WORDS = 200;

/** Letters and digits as words; scripts that do not part words count by the character. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu;

export function criterionWords(text: string): ReadonlySet<string> {
  const words = normalizeCriterionText(text).match(WORD) ?? [];
  return new Set(words.slice(0, MAX_WORDS));
}

/** How much of their words two texts share, from 0 to 1 (Dice's measure). */
export function wordSimilarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return (2 * shared) / (one.size + other.size);
}
