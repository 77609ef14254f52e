/** How alike two folded texts are by the words they have in common, from 0 to 1. */
export function alike(one: string, other: string): number {
  const first = pieces(one);
  const second = pieces(other);
  if (first.size < 5 || second.size < 5) return 0;
  let shared = 0;
  for (const piece of first) if (second.has(piece)) shared += 1;
  // Of the shorter one: what is said again is often said with more around it.
  return shared / Math.min(first.size, second.size);
}

const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff]/;
const MAX_WORDS = 400;

function pieces(text: string): Set<string> {
  const words = text.split(' ', MAX_WORDS).filter((word) => word.length > 0 && !/^[.!?]+$/.test(word));
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
