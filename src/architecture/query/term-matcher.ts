import { analyzeDocument } from '../../store/search/analyze.ts';

const NONE: readonly number[] = [];
const JOINER = /[-_./:@#+]/;
const NUMBER = /^\d+$/;

/** 1 for letters, 2 for digits; everything else separates words. */
const KINDS = new Uint8Array(128);
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') KINDS[letter.charCodeAt(0)] = 1;
for (const digit of '0123456789') KINDS[digit.charCodeAt(0)] = 2;

/**
 * Finds a few terms in a long text. Runs the text analysis of the search only once per word, and only for words that can
 * match a term; it finds those with `indexOf`, which is many times faster than checking each letter.
 */
export class TermMatcher {
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #beginnings: readonly string[];
  /** Terms made of several words, such as `user-store`. */
  readonly #joined: readonly string[];
  readonly #words = new Map<string, readonly number[]>();

  constructor(terms: readonly string[]) {
    this.#indexes = new Map(terms.map((term, index) => [term, index]));
    this.#joined = terms.filter((term) => JOINER.test(term));
    // A stem may differ from its word in the last letter; a number has no stem.
    const beginnings = terms.map((term) =>
      NUMBER.test(term) ? term : term.slice(0, Math.max(1, Math.min(4, term.length - 1))),
    );
    this.#beginnings = [...new Set(beginnings)];
  }

  /** Reports the position of each term in an ASCII text, in several passes from start to end. */
  find(text: string, see: (at: number, terms: readonly number[]) => void): void {
    const lower = text.toLowerCase();
    for (const term of this.#joined) {
      const terms = [this.#indexes.get(term) ?? 0];
      for (let at = lower.indexOf(term); at !== -1; at = lower.indexOf(term, at + 1))
        if (isWholeName(lower, at, term.length)) see(at, terms);
    }
    const seen = new Uint8Array(text.length);
    for (const beginning of this.#beginnings) {
      for (let at = lower.indexOf(beginning); at !== -1; ) {
        let start = at;
        while (isOfWord(lower, start - 1)) start--;
        let end = at + 1;
        while (isOfWord(lower, end)) end++;
        if (seen[start] === 0) {
          seen[start] = 1;
          const terms = this.#word(text.slice(start, end));
          if (terms.length > 0) see(start, terms);
        }
        at = lower.indexOf(beginning, end);
      }
    }
  }

  /** Adds the weight to the count of each term in a text of any script. Returns whether it contains any. */
  match(text: string, weight: number, counts: number[]): boolean {
    const lower = text.toLowerCase();
    const terms = this.#joined.flatMap((term) => {
      const at = lower.indexOf(term);
      return at !== -1 && isWholeName(lower, at, term.length) ? [this.#indexes.get(term) ?? 0] : [];
    });
    terms.push(...this.#analyze(text).filter((index) => !terms.includes(index)));
    for (const term of terms) counts[term] = (counts[term] ?? 0) + weight;
    return terms.length > 0;
  }

  #word(word: string): readonly number[] {
    const known = this.#words.get(word);
    if (known) return known;
    const index = this.#indexes.get(word);
    const terms = NUMBER.test(word) ? (index === undefined ? NONE : [index]) : this.#analyze(word);
    this.#words.set(word, terms);
    return terms;
  }

  #analyze(text: string): readonly number[] {
    return analyzeDocument('', text).text.flatMap((term) => this.#indexes.get(term) ?? []);
  }
}

/** Whether the name at this position is not part of a longer word. */
function isWholeName(text: string, at: number, length: number): boolean {
  return !isOfWord(text, at - 1) && !isOfWord(text, at + length);
}

function isOfWord(text: string, at: number): boolean {
  return (KINDS[text.charCodeAt(at)] ?? 0) !== 0;
}
