import { analyzeDocument } from '../../store/search/analyze.ts';

const NONE: readonly number[] = [];
const JOINER = /[-_./:@#+]/;

/** 1 for letters, 2 for digits; all else parts words. */
const KINDS = new Uint8Array(128);
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') KINDS[letter.charCodeAt(0)] = 1;
for (const digit of '0123456789') KINDS[digit.charCodeAt(0)] = 2;

const LOWER = new Uint8Array(128);
for (let code = 0; code < 128; code++) LOWER[code] = String.fromCharCode(code).toLowerCase().charCodeAt(0);

/**
 * Finds a few terms in many texts. The search's analysis decides what a word means; here it is asked only once for each
 * word, and not at all for words that cannot hold a term.
 */
export class TermMatcher {
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #beginnings: readonly string[];
  /** Terms that are several words in one, such as `user-store`. */
  readonly #joined: readonly string[];
  readonly #words = new Map<string, readonly number[]>();
  /** The first two letters of each beginning: most words have none of these pairs, and are not even cut out. */
  readonly #pairs = new Uint8Array(128 * 128);
  readonly #anyWord: boolean;

  constructor(terms: readonly string[]) {
    this.#indexes = new Map(terms.map((term, index) => [term, index]));
    this.#joined = terms.filter((term) => JOINER.test(term));
    // A stem may differ from its word in the last letter.
    const beginnings = terms.map((term) => term.slice(0, Math.max(1, Math.min(4, term.length - 1))));
    this.#beginnings = [...new Set(beginnings)];
    const pairs = this.#beginnings.map((one) => [one.charCodeAt(0), one.charCodeAt(1)] as const);
    this.#anyWord = pairs.some(([first, second]) => !(first < 128 && second < 128));
    if (!this.#anyWord) for (const [first, second] of pairs) this.#pairs[first * 128 + second] = 1;
  }

  /** Adds the weight to the count of each term, as often as the text holds it. Whether it holds any. */
  match(text: string, weight: number, counts: number[]): boolean {
    let found = this.#matchJoined(text, weight, counts);
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      if (code >= 128) return this.#add(this.#analyze(text.slice(at)), weight, counts) || found;
      if (KINDS[code] === 0) {
        at++;
        continue;
      }
      let end = at + 1;
      let isNumber = KINDS[code] === 2;
      let isPossible = this.#anyWord;
      let before = LOWER[code] ?? 0;
      for (; ; end++) {
        const next = text.charCodeAt(end);
        const kind = KINDS[next] ?? 0;
        if (kind === 0) break;
        if (kind === 1) isNumber = false;
        const lower = LOWER[next] ?? 0;
        if (this.#pairs[before * 128 + lower] === 1) isPossible = true;
        before = lower;
      }
      if (isNumber || isPossible) {
        const terms = isNumber ? this.#number(text.slice(at, end)) : this.#word(text.slice(at, end));
        if (terms.length > 0 && this.#add(terms, weight, counts)) found = true;
      }
      at = end;
    }
    return found;
  }

  #matchJoined(text: string, weight: number, counts: number[]): boolean {
    if (this.#joined.length === 0) return false;
    const lower = text.toLowerCase();
    let found = false;
    for (const term of this.#joined) {
      if (!holdsName(lower, term)) continue;
      const index = this.#indexes.get(term) ?? 0;
      counts[index] = (counts[index] ?? 0) + weight;
      found = true;
    }
    return found;
  }

  #add(terms: readonly number[], weight: number, counts: number[]): boolean {
    for (const term of terms) counts[term] = (counts[term] ?? 0) + weight;
    return terms.length > 0;
  }

  #number(digits: string): readonly number[] {
    const index = this.#indexes.get(digits);
    return index === undefined ? NONE : [index];
  }

  #word(word: string): readonly number[] {
    const known = this.#words.get(word);
    if (known) return known;
    const lower = word.toLowerCase();
    const isPossible = this.#beginnings.some((beginning) => lower.includes(beginning));
    const terms = isPossible ? this.#analyze(word) : NONE;
    this.#words.set(word, terms);
    return terms;
  }

  #analyze(text: string): readonly number[] {
    return analyzeDocument('', text).text.flatMap((term) => this.#indexes.get(term) ?? []);
  }
}

/** Whether a text holds a name, and not only as the middle of another. */
function holdsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = KINDS[text.charCodeAt(at - 1)] ?? 0;
    const after = KINDS[text.charCodeAt(at + name.length)] ?? 0;
    if (before === 0 && after === 0) return true;
  }
  return false;
}
