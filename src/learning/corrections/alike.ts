import { foldLetters } from './fold-letters.ts';

const MAX_TEXT = 4000;
const MIN_WORDS = 5;

/** How similar two texts are by the words they share, from 0 to 1. */
export function alike(one: string, other: string): number {
  const first = wordsOf(one);
  const second = wordsOf(other);
  const shorter = Math.min(first.size, second.size);
  if (shorter < MIN_WORDS) return 0;
  // Relative to the shorter one: a repeated request often has more words around it.
  return [...first].filter((word) => second.has(word)).length / shorter;
}

function wordsOf(text: string): Set<string> {
  const words = foldLetters(text.slice(0, MAX_TEXT)).split(/[^\p{L}\p{N}\p{M}]+/u);
  return new Set(words.filter((word) => word.length > 2));
}
