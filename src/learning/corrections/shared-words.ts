const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff]/;
const MAX_WORDS = 400;
const STEM = 5;
/** Words that are in every second report of work. */
const EVERYDAY = new Set(
  'there their these those which where would could should about after before again still added adding change chang tests files please every other using their works worki fixed nicht keine haben werde pruebas todos todas toutes cette avec'.split(
    ' ',
  ),
);

/** How much of what a text is about another one is about too, from 0 to 1: by the beginnings of its longer words. */
export function sharedWords(words: string, others: string): number {
  const theirs = new Set(stems(others));
  let shared = 0;
  for (const stem of new Set(stems(words))) if (theirs.has(stem)) shared += 1;
  return Math.min(shared, MANY) / MANY;
}

const MANY = 3;

function stems(text: string): string[] {
  return text
    .split(/[ ./_]/, MAX_WORDS)
    .flatMap((word) =>
      UNSPACED.test(word)
        ? Array.from({ length: Math.max(0, word.length - 2) }, (_one, index) => word.slice(index, index + 3))
        : word.length >= 4
          ? [word.slice(0, STEM)]
          : [],
    )
    .filter((stem) => !EVERYDAY.has(stem));
}
