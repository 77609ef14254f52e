import { StringDecoder } from 'node:string_decoder';

/** Longer lines are cut, also while they are incomplete. */
const LONGEST_LINE = 1000;
/** Enough to read; every line is also logged. */
const LINES_A_SECOND = 10;

/** Reports a program's output line by line, without empty lines and at a limited rate. */
export class OutputLines {
  readonly #tell: (line: string) => void;
  readonly #now: () => number;
  readonly #decoder = new StringDecoder('utf8');
  #begun = '';
  #second = Number.NEGATIVE_INFINITY;
  #told = 0;
  #untold = 0;

  constructor(tell: (line: string) => void, now: () => number = () => performance.now()) {
    this.#tell = tell;
    this.#now = now;
  }

  add(chunk: Buffer): void {
    const lines = (this.#begun + this.#decoder.write(chunk)).split('\n');
    this.#begun = lines.pop()?.slice(0, LONGEST_LINE) ?? '';
    for (const line of lines) this.#take(line);
  }

  /** Reports the last incomplete line and the number of omitted lines. */
  end(): void {
    this.#take(this.#begun);
    this.#begun = '';
    this.#reportOmission();
  }

  #take(line: string): void {
    const text = line.slice(0, LONGEST_LINE).trim();
    if (text === '') return;
    const now = this.#now();
    if (now - this.#second >= 1000) {
      this.#reportOmission();
      this.#second = now;
      this.#told = 0;
    }
    if (this.#told >= LINES_A_SECOND) {
      this.#untold += 1;
      return;
    }
    this.#told += 1;
    this.#tell(text);
  }

  #reportOmission(): void {
    if (this.#untold > 0) this.#tell(`… ${this.#untold} more ${this.#untold === 1 ? 'line' : 'lines'}`);
    this.#untold = 0;
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Deeper than any real answer; limits the recursion of later readers. */
const MAX_DEPTH = 100;

/**
 * The last JSON object in a text, preferring objects with all the given keys. Linear time: every character is read a fixed
 * number of times.
 */
export function lastJsonObject(text: string, keys: readonly string[] = []): JsonObject | undefined {
  let last: JsonObject | undefined;
  let lastWithKeys: JsonObject | undefined;
  for (let at = text.indexOf('{'); at >= 0; ) {
    const { end, whole } = scanObject(text, at);
    const found = whole ? parseObject(text.slice(at, end)) : undefined;
    if (found) {
      last = found;
      if (keys.every((key) => Object.hasOwn(found, key))) lastWithKeys = found;
    }
    // Any object that starts before `end` would fail at the same character.
    at = text.indexOf('{', end);
  }
  return lastWithKeys ?? last;
}

/** From an opening brace to the end of its object, or to the first character that cannot be part of one. */
function scanObject(text: string, start: number): { end: number; whole: boolean } {
  const closers = ['}'];
  let before = '{';
  let deepest = 1;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] as string;
    if (/\s/.test(character)) continue;
    if (character === '"') {
      const { end, whole } = scanString(text, at);
      if (!whole) return { end, whole: false };
      at = end - 1;
    } else if (character === '{' || character === '[') {
      // Not valid JSON here: this brace may itself start the object.
      if (!/[:,[]/.test(before)) return { end: at, whole: false };
      deepest = Math.max(deepest, closers.push(character === '{' ? '}' : ']'));
    } else if (character === '}' || character === ']') {
      if (closers.pop() !== character) return { end: at, whole: false };
      if (closers.length === 0) return { end: at + 1, whole: deepest <= MAX_DEPTH };
    } else if (!/[,:+\-.\dtrufalsneE]/.test(character)) return { end: at, whole: false };
    before = character;
  }
  return { end: text.length, whole: false };
}

/** From a quotation mark past its closing one, or to a line break, which ends an invalid string. */
function scanString(text: string, start: number): { end: number; whole: boolean } {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '"') return { end: at + 1, whole: true };
    if (character < ' ') return { end: at, whole: false };
    if (character === '\\') at += 1;
  }
  return { end: text.length, whole: false };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    // Safe: not valid JSON.
    return undefined;
  }
}
