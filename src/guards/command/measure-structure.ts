export const MAX_LENGTH = 256 * 1024;
const MAX_DEPTH = 64;
const MAX_WORDS = 2500;
const MAX_HEREDOCS = 100;
const MAX_MARKS = 5000;
const MAX_RARE = 200;
/** The parser reads a text once per level of nesting. */
const MAX_DEPTH_TIMES_LENGTH = 3 * 512 * 1024;

/**
 * Why a command is too large to parse quickly, or undefined. The parser's time grows with the square of unclosed openings;
 * this check reads each character once.
 */
export function measureStructure(source: string): string | undefined {
  if (source.length > MAX_LENGTH) return `it has more than ${MAX_LENGTH} characters`;
  return new Measure(source).run();
}

/** An open `(`, `{`, `"` or backtick, or `a` for arithmetic, in which `<<` does not start a here-document. */
type Open = '(' | '{' | '"' | '`' | 'a';

const BLOCK = /^(if|fi|for|while|until|select|case|done|esac)(?=[\s;|&()]|$)/;

class Measure {
  readonly #source: string;
  #at = 0;
  #open: Open[] = [];
  #deepest = 0;
  #words = 0;
  #heredocs: { end: string; quoted: boolean; indented: boolean }[] = [];
  #heredocCount = 0;
  #rare = 0;
  #marks = 0;
  #blocks = 0;
  readonly #unended = new Set<string>();

  constructor(source: string) {
    this.#source = source;
  }

  run(): string | undefined {
    let inWord = false;
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at] ?? '';
      const top = this.#open.at(-1);
      if (char === '\\') {
        this.#at += 2;
        inWord = true;
      } else if (top === '"') this.#inDoubleQuotes(char);
      else if (char === '#' && !inWord && top !== '{' && top !== 'a') this.#toLineEnd();
      else {
        const blank = ' \t\n;|&()<>'.includes(char);
        if (!blank && !inWord) {
          this.#words += 1;
          this.#block();
        }
        inWord = !blank;
        this.#plain(char, top);
      }
      if (this.#open.length > this.#deepest) this.#deepest = this.#open.length;
      if (this.#deepest > MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} deep`;
      if (this.#blocks > MAX_DEPTH) return `it has more than ${MAX_DEPTH} nested blocks`;
      if (this.#marks > MAX_MARKS) return `it has more than ${MAX_MARKS} quotes and special characters`;
      if (this.#words > MAX_WORDS) return `it has more than ${MAX_WORDS} words`;
      if (this.#heredocCount > MAX_HEREDOCS) return `it has more than ${MAX_HEREDOCS} here-documents`;
      if (this.#rare > MAX_RARE) return `it has more than ${MAX_RARE} backticks and similar constructs`;
    }
    return this.#deepest * this.#source.length > MAX_DEPTH_TIMES_LENGTH
      ? `it is nested ${this.#deepest} deep and has ${this.#source.length} characters`
      : undefined;
  }

  #plain(char: string, top: Open | undefined): void {
    const source = this.#source;
    const next = source[this.#at + 1];
    if (`'"$*?[~{`.includes(char)) this.#marks += 1;
    if (char === '[') this.#rare += 0.25;
    if (char === "'") this.#skipSingle(source[this.#at - 1] === '$');
    else if (char === '"') this.#push('"', 1);
    else if (char === '`') this.#backtick(top);
    else if (char === '(') {
      if (next === '(') {
        this.#push('a', 1);
        this.#push('a', 1);
      } else this.#push(top === 'a' ? 'a' : '(', 1);
    } else if (char === '{') this.#push('{', 1);
    else if (char === ')') this.#close(top === '(' || top === 'a');
    else if (char === '}') this.#close(top === '{');
    else if (char === '<' && next === '<' && !this.#open.includes('a')) this.#heredoc();
    else if (char === '\n') {
      this.#at += 1;
      if (this.#heredocs.length > 0) this.#heredocBodies();
    } else {
      if (char === '$' && next === '[') this.#rare += 4;
      else if (char === 'c' && source.startsWith('coproc', this.#at)) this.#rare += 4;
      this.#at += 1;
    }
  }

  #inDoubleQuotes(char: string): void {
    const next = this.#source[this.#at + 1];
    if (char === '"') this.#close(true);
    else if (char === '`') this.#backtick('"');
    else if (char === '$' && next === '(') this.#push('(', 2);
    else if (char === '$' && next === '{') this.#push('{', 2);
    else {
      if (char === '$' && next === '[') this.#rare += 4;
      this.#at += 1;
    }
  }

  #backtick(top: Open | undefined): void {
    this.#rare += 1;
    if (top === '`') this.#close(true);
    else this.#push('`', 1);
  }

  #push(what: Open, length: number): void {
    this.#open.push(what);
    this.#at += length;
  }

  #close(fits: boolean): void {
    if (fits) this.#open.pop();
    this.#at += 1;
  }

  #skipSingle(ansi: boolean): void {
    let at = this.#at + 1;
    if (ansi)
      while (at < this.#source.length && this.#source[at] !== "'") at += this.#source[at] === '\\' ? 2 : 1;
    else at = this.#source.indexOf("'", at);
    this.#at = at === -1 ? this.#source.length : at + 1;
  }

  #toLineEnd(): void {
    const end = this.#source.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#source.length : end;
  }

  #heredoc(): void {
    this.#at += 2;
    if (this.#source[this.#at] === '<') {
      this.#at += 1;
      return;
    }
    this.#heredocCount += 1;
    const indented = this.#source[this.#at] === '-';
    if (indented) this.#at += 1;
    while (this.#source[this.#at] === ' ' || this.#source[this.#at] === '\t') this.#at += 1;
    const start = this.#at;
    let quote = '';
    for (; this.#at < this.#source.length; this.#at += 1) {
      const char = this.#source[this.#at] ?? '';
      if (quote !== '') quote = char === quote ? '' : quote;
      else if (char === "'" || char === '"') quote = char;
      else if (' \t\n;|&()<>'.includes(char)) break;
    }
    const word = this.#source.slice(start, this.#at);
    const end = word.replace(/['"\\]/g, '');
    this.#heredocs.push({ end, quoted: end !== word, indented });
  }

  #heredocBodies(): void {
    for (const { end, quoted, indented } of this.#heredocs.splice(0)) {
      const begin = this.#at;
      const line = this.#endOf(end, indented);
      // Without an end, skip nothing: it may not be a here-document.
      if (line === undefined) return;
      if (!quoted) this.#countExpansions(begin, line);
      this.#at = line;
    }
  }

  /** The offset after the line that ends a here-document. */
  #endOf(end: string, indented: boolean): number | undefined {
    if (end === '' || this.#unended.has(end)) return undefined;
    for (
      let at = this.#source.indexOf(end, this.#at);
      at !== -1;
      at = this.#source.indexOf(end, at + end.length)
    ) {
      const after = this.#source[at + end.length];
      if (after !== undefined && after !== '\n') continue;
      let start = at;
      while (indented && this.#source[start - 1] === '\t') start -= 1;
      if (this.#source[start - 1] === '\n') return at + end.length + 1;
    }
    this.#unended.add(end);
    return undefined;
  }

  /** Counts words that open and close blocks, in any position, since only large numbers matter. */
  #block(): void {
    const word = BLOCK.exec(this.#source.slice(this.#at, this.#at + 7))?.[1];
    if (word === undefined) return;
    const closes = word === 'fi' || word === 'done' || word === 'esac';
    this.#blocks = Math.max(0, this.#blocks + (closes ? -1 : 1));
  }

  #countExpansions(from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const char = this.#source[at];
      if (char === '`' || (char === '$' && '({['.includes(this.#source[at + 1] ?? ' '))) this.#rare += 1;
    }
  }
}
