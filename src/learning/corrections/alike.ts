import { foldLetters } from './fold-letters.ts';
import { UNSPACED } from './meanings.ts';

const MAX_TEXT = 4000;

/** How alike two texts are by the words they have in common, from 0 to 1. */
export function alike(one: string, other: string): number {
  const first = piecesOf(one);
  const second = piecesOf(other);
  if (first.size < 5 || second.size < 5) return 0;
  let shared = 0;
  for (const piece of first) if (second.has(piece)) shared += 1;
  // Of the shorter one: what is said again is often said with more around it.
  return shared / Math.min(first.size, second.size);
}

function piecesOf(text: string): Set<string> {
  const words = foldLetters(text.slice(0, MAX_TEXT)).split(/[^\p{L}\p{N}\p{M}]+/u);
  return new Set(
    words.flatMap((word) =>
      UNSPACED.test(word)
        ? Array.from({ length: Math.max(1, word.length - 1) }, (_one, index) => word.slice(index, index + 2))
        : word.length > 2
          ? [word]
          : [],
    ),
  );
}
