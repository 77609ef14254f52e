import { decodeBase64 } from '../decode-text.ts';
import { HOLE } from '../words/field.ts';
import { type CodeToken, type Language, tokenizeCode } from './tokenize-code.ts';

export interface CodeCall {
  /** The last part of the name: `writeFileSync` of `fs.writeFileSync`. */
  name: string;
  /** The receiver: `fs` of `fs.writeFileSync`; undefined for a function, empty if it is not a name. */
  on: string | undefined;
  /** Its leading string arguments. */
  strings: readonly string[];
  /** Whether the strings are in a list: words of a command, not its text. */
  list: boolean;
}

export interface CodeReading {
  /** All strings, and their concatenations. */
  strings: string[];
  calls: CodeCall[];
  /** Texts that the language itself passes to a shell. */
  commands: string[];
}

const MAX_STRINGS = 4000;
/** A file name with extension, which ends a path. */
const COMPLETE = /[^/.]\.[A-Za-z]\w{0,7}['"]?$/;

/** Extracts the strings of a program, with simple concatenations resolved. */
export function readCode(code: string, language: Language): CodeReading {
  const tokens = tokenizeCode(code, language);
  const reader = new Reader(tokens, language);
  reader.run();
  const { strings, calls, commands } = reader;
  for (const text of [...strings]) {
    if (/\breverse|\[::-1\]/.test(code)) strings.add([...text].reverse().join(''));
    const decoded = decodedText(text);
    if (decoded !== undefined) strings.add(decoded);
  }
  return { strings: [...strings].slice(0, MAX_STRINGS), calls, commands };
}

function isPart(text: string, last: boolean): boolean {
  return !/\s/.test(text) && (last || !COMPLETE.test(text));
}

function decodedText(text: string): string | undefined {
  if (text.length < 8 || text.length > 65_536 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const decoded = decodeBase64(text);
  return /^[\x20-\x7e\n\t]+$/.test(decoded) ? decoded : undefined;
}

class Reader {
  readonly #tokens: readonly CodeToken[];
  readonly #language: Language;
  readonly #variables = new Map<string, string>();
  readonly strings = new Set<string>();
  readonly calls: CodeCall[] = [];
  readonly commands: string[] = [];
  #at = 0;

  constructor(tokens: readonly CodeToken[], language: Language) {
    this.#tokens = tokens;
    this.#language = language;
  }

  run(): void {
    let list: string[] = [];
    const endList = () => {
      // A list of strings often contains the parts of a path.
      if (
        list.length > 1 &&
        list.length < 50 &&
        list.every((part, index) => isPart(part, index === list.length - 1))
      ) {
        this.#keep(list.join('/'));
        this.#keep(list.join(''));
      }
      list = [];
    };
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at];
      if (token === undefined) break;
      const called = token.type === 'name' ? this.#call(this.#at) : undefined;
      if (called !== undefined && this.calls.length < MAX_STRINGS) this.calls.push(called);
      if (token.type === 'command') this.commands.push(token.text);
      const start = this.#at;
      const text = this.#chain();
      if (text === undefined) {
        // Skip names without a string: no call starts among them.
        this.#at = Math.max(start + 1, this.#at);
        if (!(token.type === 'mark' && (token.text === ',' || token.text === '\n'))) endList();
        continue;
      }
      list.push(text);
      this.#assign(start, text);
    }
    endList();
  }

  #keep(text: string): void {
    if (text !== '' && text.length < 65_536 && this.strings.size < MAX_STRINGS) this.strings.add(text);
  }

  #assign(start: number, text: string): void {
    const equals = this.#tokens[start - 1];
    const name = this.#tokens[start - 2];
    if (equals?.type === 'mark' && equals.text === '=' && name?.type === 'name')
      this.#variables.set(name.text, text);
  }

  /** Reads strings and known names joined by operators; undefined if there is no string. */
  #chain(): string | undefined {
    let text = '';
    let strings = 0;
    let joint = '';
    for (;;) {
      const term = this.#term();
      if (term === undefined) break;
      if (term.isString) {
        strings += 1;
        this.#keep(term.text);
      }
      text += joint + term.text;
      const operator = this.#operator();
      if (operator === undefined) break;
      joint = operator;
    }
    if (strings === 0) return undefined;
    this.#keep(text);
    return text;
  }

  #term(): { text: string; isString: boolean } | undefined {
    const token = this.#tokens[this.#at];
    if (token?.type === 'string') {
      this.#at += 1;
      return { text: token.text, isString: true };
    }
    if (token?.type !== 'name') return undefined;
    const next = this.#tokens[this.#at + 1];
    // r'…' and f'…': the name is the string's prefix.
    if (next?.type === 'string' && /^[rbfuRBFU]{1,2}$/.test(token.text)) {
      this.#at += 2;
      return { text: next.text, isString: true };
    }
    const after = next?.type === 'mark' ? next.text : '';
    if (after === '(' || (after === '.' && !this.#dotJoins())) return undefined;
    this.#at += 1;
    return { text: this.#variables.get(token.text) ?? HOLE, isString: false };
  }

  #dotJoins(): boolean {
    return this.#language === 'perl' || this.#language === 'php';
  }

  /** The separator between two terms, '' or '/'; undefined if there is no operator. */
  #operator(): string | undefined {
    const token = this.#tokens[this.#at];
    const next = this.#tokens[this.#at + 1];
    if (token?.type === 'string') return '';
    if (token?.type !== 'mark') return undefined;
    if (token.text === ')' && next?.type === 'mark' && next.text === '/') {
      this.#at += 2;
      return '/';
    }
    if (token.text === '.' && next?.type === 'mark' && next.text === '.') {
      this.#at += 2;
      return '';
    }
    if (token.text === '+' || (token.text === '.' && this.#dotJoins())) {
      this.#at += 1;
      return '';
    }
    if (token.text === '/') {
      this.#at += 1;
      return '/';
    }
    return undefined;
  }

  #receiver(at: number): string | undefined {
    const dot = this.#tokens[at - 1];
    if (dot?.type !== 'mark' || (dot.text !== '.' && dot.text !== ':')) return undefined;
    const before = this.#tokens[at - 2];
    return before?.type === 'name'
      ? before.text
      : before?.type === 'mark' && before.text === ':'
        ? undefined
        : '';
  }

  #call(at: number): CodeCall | undefined {
    const token = this.#tokens[at];
    if (token?.type !== 'name') return undefined;
    let place = at + 1;
    const bare = this.#language === 'perl' || this.#language === 'ruby';
    const first = this.#tokens[place];
    if (first?.type === 'mark' && first.text === '(') place += 1;
    else if (!(bare && first?.type === 'string')) return undefined;
    const strings: string[] = [];
    let list = false;
    const before = this.#at;
    for (let count = 0; count < 200; count += 1) {
      const next = this.#tokens[place];
      if (
        next?.type === 'mark' &&
        (next.text === '[' || next.text === ',' || next.text === '\n' || next.text === ']')
      ) {
        if (next.text === '[') list = true;
        place += 1;
        continue;
      }
      this.#at = place;
      const text = this.#chain();
      place = this.#at;
      if (text === undefined) break;
      strings.push(text);
    }
    this.#at = before;
    return { name: token.text, on: this.#receiver(at), strings, list };
  }
}
