import type { CommandAnalysis, Invocation, PathUse } from './command-analysis.ts';
import { type FileSearch, searchExtent } from './file-search.ts';
import { HOLE, MARK, shownText, withoutMarks } from './words/field.ts';

const MAX_STEPS = 5000;
const MAX_DEPTH = 64;
const MAX_LOOPS = 256;
const MAX_LIST = 2000;
const MAX_LITERALS = 10_000;
const MAX_LITERAL_CHARACTERS = 512 * 1024;
const MAX_WHY = 160;

/** The command exceeds a limit of the analysis. */
export class TooLarge extends Error {}

/** The results so far, and the remaining limits. */
export class Findings {
  readonly #uses = new Map<string, PathUse>();
  readonly #invocations: Invocation[] = [];
  readonly #unclear = new Set<string>();
  readonly #literals = new Set<string>();
  readonly #scanned = new Set<string>();
  readonly #searches: { search: FileSearch; shown: string }[] = [];
  #literalCharacters = 0;
  #steps = 0;
  #loops = 0;
  #parsed = 0;
  readonly #typed = new Set<string>();
  readonly #passesTyped = new Set<string>();
  background = false;
  ok = true;
  /** Something unknown is run. */
  lost = false;

  step(depth: number): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new TooLarge(`it has more than ${MAX_STEPS} parts`);
    if (depth > MAX_DEPTH) throw new TooLarge(`it is nested more than ${MAX_DEPTH} deep`);
  }

  /** Whether to follow one more pass through a loop. */
  mayLoop(): boolean {
    this.#loops += 1;
    return this.#loops <= MAX_LOOPS;
  }

  /** Text that is parsed again (eval, sh -c) counts every time. */
  mayParse(characters: number, most: number): boolean {
    this.#parsed += characters;
    return this.#parsed <= most;
  }

  use(use: PathUse): void {
    if (this.#uses.size >= MAX_LIST) {
      this.unclear(`it uses more than ${MAX_LIST} paths`);
      return;
    }
    const key = `${use.mode} ${use.by} ${use.path}`;
    const known = this.#uses.get(key);
    if (known === undefined) this.#uses.set(key, use);
    else {
      if (use.exact && !known.exact) {
        known.exact = true;
        delete known.guess;
      }
      if (!use.shallow) delete known.shallow;
      if (use.empties) known.empties = true;
      if (use.search) known.search = use.search;
    }
  }

  /** A text that stands for the results of a search; `shown` is the closest path pattern. */
  markSearch(search: FileSearch, shown: string): string {
    if (this.#searches.length >= MAX_LIST) return shown;
    this.#searches.push({ search, shown });
    return `${MARK}${this.#searches.length - 1}${MARK}`;
  }

  /** The search that a whole text stands for. */
  searchOf(text: string): { search: FileSearch; shown: string } | undefined {
    const number = text.startsWith(MARK) ? /^\ue000(\d{1,6})\ue000$/.exec(text)?.[1] : undefined;
    return number === undefined ? undefined : this.#searches[Number(number)];
  }

  /** Replaces searches by name with holes: filtering their results may leave only other names. */
  unnamedSearches(text: string): string {
    return text.replace(/\ue000(\d{1,6})\ue000/g, (mark, number) => {
      const found = this.#searches[Number(number)];
      return found !== undefined && searchExtent(found.search) === 'all' ? mark : HOLE;
    });
  }

  /** Replaces searches with path patterns. */
  withoutSearches(text: string): string {
    if (!text.includes(MARK)) return text;
    return withoutMarks(
      text.replace(/\ue000(\d{1,6})\ue000/g, (_, number) => this.#searches[Number(number)]?.shown ?? HOLE),
    );
  }

  get invocationCount(): number {
    return this.#invocations.length;
  }

  invocation(invocation: Invocation): void {
    if (this.#invocations.length >= MAX_LIST) this.unclear(`it runs more than ${MAX_LIST} programs`);
    else this.#invocations.push(invocation);
  }

  /** A program runs what is typed into it. */
  typed(program: string): void {
    this.#typed.add(shownText(program));
  }

  /** A program passes on what is typed into it, which matters if something unknown is run. */
  passesTyped(program: string): void {
    this.#passesTyped.add(shownText(program));
  }

  unclear(why: string): void {
    const shown = shownText(why.slice(0, MAX_WHY)).replace(/\s+/g, ' ').trim();
    const short = why.length > MAX_WHY ? `${shown}…` : shown;
    if (this.#unclear.size < 200) this.#unclear.add(short);
  }

  /** Records the known pieces of a text. */
  literal(text: string): void {
    for (const piece of this.withoutSearches(text).split(HOLE)) {
      if (piece === '' || this.#literals.has(piece)) continue;
      this.#literalCharacters += piece.length;
      if (this.#literalCharacters > MAX_LITERAL_CHARACTERS || this.#literals.size >= MAX_LITERALS) {
        this.unclear('it has too many words');
        return;
      }
      this.#literals.add(piece);
    }
  }

  /** Records everything in a text that could be a name, for text that cannot be followed. */
  literalsOf(source: string): void {
    if (this.#scanned.has(source)) return;
    this.#scanned.add(source);
    for (const word of source.split(/[\s;|&<>(){}"'`,=$]+/)) this.literal(word);
    if (!/["'\\]/.test(source)) return;
    // Quotes and escapes inside a word can hide a name from a reader, but not from a shell.
    for (const word of source.replace(/["'\\]/g, '').split(/[\s;|&<>()`,=]+/)) this.literal(word);
  }

  analysis(): CommandAnalysis {
    return {
      ok: this.ok,
      unclear: [...this.#unclear],
      invocations: this.#invocations,
      uses: [...this.#uses.values()],
      background: this.background,
      typed: [...this.#typed, ...(this.lost ? this.#passesTyped : [])],
      literals: [...this.#literals],
    };
  }
}
