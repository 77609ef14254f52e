/** Words that a correction often hangs on, in which a slip of the fingers would hide it. */
const KEY_WORDS =
  'forgot missed broke broken wrong revert undo should still doesnt didnt asked instead supposed removed deleted tests fails failing again wanted incorrect missing changed without already shouldnt working works that the dont not file'.split(
    ' ',
  );

const KNOWN = new Set(KEY_WORDS);
/** Words that are nothing but near to one of them. */
const OTHERS = new Set(
  'stall stills test fail world would work wont want worked change asks ask fill fall tell than then they them there this these those text next nest rest best most note nor now nut hot lot got cot dot pot rot file files fire fine five filed while mile tile pile wile bile that what chat hat the he she tie toe thee weld'.split(
    ' ',
  ),
);
const LETTERS = /^[a-z]{3,12}$/;

/** A text whose key words are written as they should be: one pair of letters turned around, or one too many or too few. */
export function withoutSlips(words: string): string {
  return words
    .split(' ')
    .map((word) => (LETTERS.test(word) && !KNOWN.has(word) && !OTHERS.has(word) ? mended(word) : word))
    .join(' ');
}

function mended(word: string): string {
  return KEY_WORDS.find((key) => isSlipOf(word, key)) ?? word;
}

function isSlipOf(word: string, key: string): boolean {
  if (word.length === key.length) return isTurned(word, key);
  // A letter more or less tells nothing in a short word.
  if (key.length < 5 || Math.abs(word.length - key.length) !== 1) return false;
  return word.length > key.length ? lacksOne(key, word) : lacksOne(word, key);
}

function isTurned(word: string, key: string): boolean {
  let at = 0;
  while (at < key.length && word[at] === key[at]) at += 1;
  return word[at] === key[at + 1] && word[at + 1] === key[at] && word.slice(at + 2) === key.slice(at + 2);
}

/** The shorter is the longer without one letter, which is not the last: that may be an ending. */
function lacksOne(shorter: string, longer: string): boolean {
  let at = 0;
  while (at < shorter.length && shorter[at] === longer[at]) at += 1;
  return at < shorter.length && shorter.slice(at) === longer.slice(at + 1);
}
