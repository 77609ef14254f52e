import { templateEnd } from './template-end.ts';
import { pairBrackets, type Token, type TokenList } from './token.ts';

export type BraceLanguage = 'js' | 'jsx' | 'go' | 'rust' | 'java';

const MAX_TOKENS = 3_000_000;
const NAME_START = /[A-Za-z_$\u0080-\uffff]/;
const NAME_PART = /[\w$\u0080-\uffff]/;
const NAME = /[\w$\u0080-\uffff]+/y;
const NUMBER = /[\w.]+/y;
/** After these words a slash starts a regular expression and a `<` an element. */
const BEFORE_VALUE = new Set(
  'return typeof case in of delete void throw new else do await yield instanceof default'.split(' '),
);

/**
 * Splits the text of a brace language into tokens without comments. It never fails; unreadable text makes the result
 * uncertain.
 */
export function lexBraces(text: string, language: BraceLanguage): TokenList {
  const list = new Lexer(text, language).run();
  // An apparent element may have been a type; then the brackets match better without elements.
  if (language !== 'jsx' || !list.uncertain) return list;
  const plain = new Lexer(text, 'js').run();
  return plain.uncertain ? list : plain;
}

/** Inside an element's tag, between tags, or in the braces of one; `depth` counts open elements or braces. */
interface Mode {
  type: 'tag' | 'children' | 'braces';
  depth: number;
  closing: boolean;
}

class Lexer {
  readonly #text: string;
  readonly #language: BraceLanguage;
  readonly #tokens: Token[] = [];
  readonly #modes: Mode[] = [];
  #at = 0;
  #line = 1;
  #uncertain = false;
  #templatesBroken = false;
  /** Up to here, a quote or the slash of a regular expression is known not to end on its line. */
  readonly #endless: Record<string, number> = { '"': 0, "'": 0, '/': 0 };

  constructor(text: string, language: BraceLanguage) {
    this.#text = text;
    this.#language = language;
  }

  run(): TokenList {
    // Rust: `#![…]` is an attribute.
    if (/^#!(?!\s*\[)/.test(this.#text)) this.#at = this.#lineEnd(0);
    while (this.#at < this.#text.length && this.#tokens.length < MAX_TOKENS) {
      const mode = this.#modes.at(-1);
      if (mode?.type === 'tag') this.#tag(mode);
      else if (mode?.type === 'children') this.#children(mode);
      else this.#code(mode);
    }
    const unfinished = this.#at < this.#text.length || this.#modes.length > 0;
    return pairBrackets(this.#tokens, this.#uncertain || unfinished);
  }

  #code(mode: Mode | undefined): void {
    const text = this.#text;
    const char = text[this.#at] ?? '';
    const next = text[this.#at + 1];
    if (char === '\n') {
      this.#line += 1;
      this.#at += 1;
    } else if (char === ' ' || char === '\t' || char === '\r' || char === '\uFEFF') this.#at += 1;
    else if (char === '/' && next === '/') this.#at = this.#lineEnd(this.#at);
    else if (char === '/' && next === '*') this.#blockComment();
    else if (this.#language === 'rust' && this.#rustString()) return;
    else if (char === '"' || char === "'") this.#quoted(char);
    else if (char === '`') this.#backtick();
    else if (NAME_START.test(char)) this.#run('name', NAME);
    else if (char >= '0' && char <= '9') this.#run('number', NUMBER);
    else if (char === '/' && this.#isJs() && this.#expectsValue() && this.#regex()) return;
    else if (char === '<' && this.#language === 'jsx' && this.#beginsElement()) {
      this.#modes.push({ type: 'tag', depth: 0, closing: false });
      this.#at += 1;
    } else {
      if (char === '=' && next === '>') this.#push('mark', '=>', 2);
      else if (char === '?' && next === '.') this.#push('mark', '?.', 2);
      else this.#push('mark', char, 1);
      if (mode === undefined) return;
      if (char === '{') mode.depth += 1;
      else if (char === '}') {
        mode.depth -= 1;
        if (mode.depth === 0) this.#modes.pop();
      }
    }
  }

  #tag(mode: Mode): void {
    const start = this.#at;
    const text = this.#text;
    while (this.#at < text.length) {
      const char = text[this.#at] ?? '';
      if (char === '\n') this.#line += 1;
      if (char === '"' || char === "'") {
        const end = text.indexOf(char, this.#at + 1);
        const stop = end === -1 ? text.length : end + 1;
        this.#countLines(this.#at, stop);
        this.#at = stop;
      } else if (char === '{') {
        this.#chunk(start);
        this.#modes.push({ type: 'braces', depth: 0, closing: false });
        return;
      } else if (char === '>') {
        const ends = text[this.#at - 1] === '/';
        this.#at += 1;
        this.#chunk(start);
        if (mode.closing) mode.depth -= 1;
        else if (!ends) mode.depth += 1;
        mode.closing = false;
        if (mode.depth <= 0) this.#modes.pop();
        else mode.type = 'children';
        return;
      } else if (char === '=' && text[this.#at + 1] === '>') this.#at += 2;
      else this.#at += 1;
    }
    this.#chunk(start);
  }

  #children(mode: Mode): void {
    const start = this.#at;
    const text = this.#text;
    while (this.#at < text.length) {
      const char = text[this.#at] ?? '';
      if (char === '\n') this.#line += 1;
      if (char === '{') {
        this.#chunk(start);
        this.#modes.push({ type: 'braces', depth: 0, closing: false });
        return;
      }
      if (char === '<') {
        this.#chunk(start);
        mode.type = 'tag';
        mode.closing = text[this.#at + 1] === '/';
        this.#at += 1;
        return;
      }
      this.#at += 1;
    }
  }

  #chunk(start: number): void {
    const chunk = this.#text.slice(start, this.#at).replace(/\s+/g, ' ').trim();
    if (chunk !== '') this.#tokens.push({ type: 'string', text: chunk, line: this.#line });
  }

  /** `<` starts an element if a value is expected and no list of type parameters follows. */
  #beginsElement(): boolean {
    const after = this.#text.slice(this.#at + 1, this.#at + 80);
    return this.#expectsValue() && /^(?:>|[A-Za-z_$][\w$.:-]*(?:\s+(?!extends\b)|\/|>(?!\s*\()))/.test(after);
  }

  #blockComment(): void {
    const nests = this.#language === 'rust';
    let depth = 0;
    let at = this.#at;
    for (; at < this.#text.length; at += 1) {
      const char = this.#text[at];
      const next = this.#text[at + 1];
      if (char === '\n') this.#line += 1;
      else if (char === '/' && next === '*' && (nests || depth === 0)) {
        depth += 1;
        at += 1;
      } else if (char === '*' && next === '/') {
        depth -= 1;
        at += 1;
        if (depth === 0) break;
      }
    }
    if (depth > 0) this.#uncertain = true;
    this.#at = Math.min(at + 1, this.#text.length);
  }

  #quoted(quote: string): void {
    const text = this.#text;
    if (
      quote === "'" &&
      this.#language === 'rust' &&
      text[this.#at + 1] !== '\\' &&
      text[this.#at + 2] !== "'"
    ) {
      // A lifetime.
      this.#push('mark', quote, 1);
      return;
    }
    if (quote === '"' && this.#language === 'java' && text.startsWith('"""', this.#at)) {
      this.#until('"""', 3);
      return;
    }
    const overLines = quote === '"' && this.#language === 'rust';
    if (this.#at >= (this.#endless[quote] ?? 0)) {
      let at = this.#at + 1;
      for (; at < text.length; at += 1) {
        const char = text[at];
        if (char === '\\') at += 1;
        else if (char === quote) {
          this.#push('string', text.slice(this.#at + 1, at), at + 1 - this.#at);
          return;
        } else if (char === '\n' && !overLines) break;
      }
      this.#endless[quote] = at;
      if (overLines) this.#uncertain = true;
    }
    // An apostrophe that is not part of code.
    this.#push('mark', quote, 1);
  }

  /** `r#"…"#` and similar; plain strings are handled elsewhere. */
  #rustString(): boolean {
    const first = this.#text[this.#at];
    if (first !== 'r' && first !== 'b') return false;
    const match = /^b?r(#{0,20})"/.exec(this.#text.slice(this.#at, this.#at + 24));
    if (match === null || NAME_PART.test(this.#text[this.#at - 1] ?? ' ')) return false;
    this.#until(`"${match[1] ?? ''}`, match[0].length);
    return true;
  }

  #until(end: string, opening: number): void {
    const from = this.#at + opening;
    const found = this.#text.indexOf(end, from);
    if (found === -1) this.#uncertain = true;
    const stop = found === -1 ? this.#text.length : found;
    this.#push('string', this.#text.slice(from, stop), stop + (found === -1 ? 0 : end.length) - this.#at);
  }

  #backtick(): void {
    if (this.#language === 'go' || this.#language === 'java') {
      this.#until('`', 1);
      return;
    }
    const end = this.#templatesBroken || this.#language === 'rust' ? -1 : templateEnd(this.#text, this.#at);
    if (end !== -1) {
      this.#push('string', this.#text.slice(this.#at + 1, end), end + 1 - this.#at);
      return;
    }
    // Searching for the end again for each of many would take forever.
    this.#templatesBroken = true;
    this.#uncertain = true;
    this.#push('mark', '`', 1);
  }

  #regex(): boolean {
    let inClass = false;
    if (this.#at < (this.#endless['/'] ?? 0)) return false;
    let at = this.#at + 1;
    for (; at < this.#text.length; at += 1) {
      const char = this.#text[at];
      if (char === '\n') break;
      if (char === '\\') at += 1;
      else if (char === '[') inClass = true;
      else if (char === ']') inClass = false;
      else if (char === '/' && !inClass) {
        this.#push('string', this.#text.slice(this.#at, at + 1), at + 1 - this.#at);
        return true;
      }
    }
    this.#endless['/'] = at;
    return false;
  }

  #expectsValue(): boolean {
    const last = this.#tokens.at(-1);
    if (last === undefined) return true;
    if (last.type === 'name') return BEFORE_VALUE.has(last.text);
    return last.type === 'mark' && !(last.text === ')' || last.text === ']' || last.text === '}');
  }

  #isJs(): boolean {
    return this.#language === 'js' || this.#language === 'jsx';
  }

  #run(type: Token['type'], pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    const word = pattern.exec(this.#text)?.[0] ?? this.#text[this.#at] ?? '';
    this.#push(type, word, word.length);
  }

  #push(type: Token['type'], text: string, length: number): void {
    this.#tokens.push({ type, text, line: this.#line });
    if (type === 'string') this.#countLines(this.#at, this.#at + length);
    this.#at += length;
  }

  #countLines(from: number, to: number): void {
    for (let at = from; at < to; at += 1) if (this.#text[at] === '\n') this.#line += 1;
  }

  #lineEnd(from: number): number {
    const end = this.#text.indexOf('\n', from);
    return end === -1 ? this.#text.length : end;
  }
}
