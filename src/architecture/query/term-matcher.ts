import { analyzeDocument } from '../../store/search/analyze.ts';

const NONE: readonly number[] = [];

/** 1 for letters and digits, 2 for what may join them to one word; as the search's own analysis has it for ASCII. */
const KINDS = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') {
  KINDS[character.charCodeAt(0)] = 1;
}
for (const character of '-_./:@#+') KINDS[character.charCodeAt(0)] = 2;

/**
 * Finds a few terms in many texts. The search's analysis decides what a word means; here it is asked only once for each
 * word, and not at all for words that cannot hold a term.
 */
export class TermMatcher {
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #beginnings: readonly string[];
  readonly #words = new Map<string, readonly number[]>();

  constructor(terms: readonly string[]) {
    this.#indexes = new Map(terms.map((term, index) => [term, index]));
    // A stem may differ from its word in the last letter.
    this.#beginnings = [
      ...new Set(terms.map((term) => term.slice(0, Math.max(1, Math.min(4, term.length - 1))))),
    ];
  }

  /** Tells the index of each term, as often as the text holds it. */
  match(text: string, found: (term: number) => void): void {
    for (let at = 0; at < text.length; ) {
      if (text.charCodeAt(at) >= 128) return this.#matchAll(text, at, found);
      if (KINDS[text.charCodeAt(at)] !== 1) {
        at++;
        continue;
      }
      let end = at + 1;
      for (;;) {
        const kind = KINDS[text.charCodeAt(end)] ?? 0;
        if (kind === 1) end++;
        else if (kind === 2 && KINDS[text.charCodeAt(end + 1)] === 1) end += 2;
        else break;
      }
      if (text.charCodeAt(end) >= 128) return this.#matchAll(text, at, found);
      for (const term of this.#word(text.slice(at, end))) found(term);
      at = end;
    }
  }

  #matchAll(text: string, from: number, found: (term: number) => void): void {
    for (const term of analyzeDocument('', text.slice(from)).text) {
      const index = this.#indexes.get(term);
      if (index !== undefined) found(index);
    }
  }

  #word(word: string): readonly number[] {
    const known = this.#words.get(word);
    if (known) return known;
    const lower = word.toLowerCase();
    const terms = this.#beginnings.some((beginning) => lower.includes(beginning))
      ? analyzeDocument('', word).text.flatMap((term) => this.#indexes.get(term) ?? [])
      : NONE;
    this.#words.set(word, terms);
    return terms;
  }
}
