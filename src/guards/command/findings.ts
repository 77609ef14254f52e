import type { CommandAnalysis, Invocation, PathUse } from './command-analysis.ts';
import { HOLE, shownText } from './words/field.ts';

const MAX_STEPS = 5000;
const MAX_DEPTH = 64;
const MAX_LOOPS = 256;
const MAX_LIST = 2000;
const MAX_LITERALS = 10_000;
const MAX_LITERAL_CHARACTERS = 512 * 1024;
const MAX_WHY = 160;

/** The command is larger than we look at. */
export class TooLarge extends Error {}

/** What was found so far, and how much may still be looked at. */
export class Findings {
  readonly #uses = new Map<string, PathUse>();
  readonly #invocations: Invocation[] = [];
  readonly #unclear = new Set<string>();
  readonly #literals = new Set<string>();
  readonly #scanned = new Set<string>();
  #literalCharacters = 0;
  #steps = 0;
  #loops = 0;
  #parsed = 0;
  background = false;
  ok = true;

  step(depth: number): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new TooLarge(`it has more than ${MAX_STEPS} parts`);
    if (depth > MAX_DEPTH) throw new TooLarge(`it is nested more than ${MAX_DEPTH} deep`);
  }

  /** Whether one more pass through a loop may be followed. */
  mayLoop(): boolean {
    this.#loops += 1;
    return this.#loops <= MAX_LOOPS;
  }

  /** Text that is parsed again (eval, sh -c) counts as often as it is parsed. */
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
    else if (use.exact && !known.exact) known.exact = true;
  }

  get invocationCount(): number {
    return this.#invocations.length;
  }

  invocation(invocation: Invocation): void {
    if (this.#invocations.length >= MAX_LIST) this.unclear(`it runs more than ${MAX_LIST} programs`);
    else this.#invocations.push(invocation);
  }

  unclear(why: string): void {
    const shown = shownText(why.slice(0, MAX_WHY)).replace(/\s+/g, ' ').trim();
    const short = why.length > MAX_WHY ? `${shown}…` : shown;
    if (this.#unclear.size < 200) this.#unclear.add(short);
  }

  /** Keeps a text's known pieces. */
  literal(text: string): void {
    for (const piece of text.split(HOLE)) {
      if (piece === '' || this.#literals.has(piece)) continue;
      this.#literalCharacters += piece.length;
      if (this.#literalCharacters > MAX_LITERAL_CHARACTERS || this.#literals.size >= MAX_LITERALS) {
        this.unclear('it has more words than are kept');
        return;
      }
      this.#literals.add(piece);
    }
  }

  /** Keeps whatever in a text could be a name, for what cannot be followed. */
  literalsOf(source: string): void {
    if (this.#scanned.has(source)) return;
    this.#scanned.add(source);
    for (const word of source.split(/[\s;|&<>(){}"'`,=$]+/)) this.literal(word);
    if (!/["'\\]/.test(source)) return;
    // Quotes and escapes inside of a word hide a name from the eye, not from a shell.
    for (const word of source.replace(/["'\\]/g, '').split(/[\s;|&<>()`,=]+/)) this.literal(word);
  }

  analysis(): CommandAnalysis {
    return {
      ok: this.ok,
      unclear: [...this.#unclear],
      invocations: this.#invocations,
      uses: [...this.#uses.values()],
      background: this.background,
      literals: [...this.#literals],
    };
  }
}
