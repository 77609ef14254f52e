import { DotFault } from './dot-fault.ts';

/** Kinds of DOT tokens; punctuation uses its character code. */
export const TOKEN = {
  end: 0,
  plus: 43,
  comma: 44,
  colon: 58,
  semicolon: 59,
  equals: 61,
  openList: 91,
  closeList: 93,
  openBody: 123,
  closeBody: 125,
  edge: 200,
  name: 201,
  number: 202,
  quoted: 203,
  html: 204,
  graphWord: 210,
  digraphWord: 211,
  nodeWord: 212,
  edgeWord: 213,
  strictWord: 214,
  subgraphWord: 215,
} as const;

/** Keywords, in upper or lower case, unless they are quoted. */
const WORDS = new Map<string, number>([
  ['graph', TOKEN.graphWord],
  ['digraph', TOKEN.digraphWord],
  ['node', TOKEN.nodeWord],
  ['edge', TOKEN.edgeWord],
  ['strict', TOKEN.strictWord],
  ['subgraph', TOKEN.subgraphWord],
]);

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const STAR = 42;
const MINUS = 45;
const DOT = 46;
const SLASH = 47;
const LESS = 60;
const GREATER = 62;
const BACKSLASH = 92;
const BYTE_ORDER_MARK = 0xfeff;

/** 1 for characters that can start a name, 2 for digits; to Graphviz everything beyond ASCII is a letter. */
const KINDS = new Uint8Array(128);
for (let code = 65; code <= 90; code++) KINDS[code] = 1;
for (let code = 97; code <= 122; code++) KINDS[code] = 1;
for (let code = 48; code <= 57; code++) KINDS[code] = 2;
KINDS[95] = 1;

const MARKS = new Set<number>([
  TOKEN.plus,
  TOKEN.comma,
  TOKEN.colon,
  TOKEN.semicolon,
  TOKEN.equals,
  TOKEN.openList,
  TOKEN.closeList,
  TOKEN.openBody,
  TOKEN.closeBody,
]);

function isLetter(code: number): boolean {
  return code >= 128 || KINDS[code] === 1;
}

/** False past the end of the text, where the code is NaN. */
function isLetterOrDigit(code: number): boolean {
  return code >= 128 || (KINDS[code] ?? 0) > 0;
}

function isDigit(code: number): boolean {
  return code < 128 && KINDS[code] === 2;
}

/**
 * Splits a text into tokens as Graphviz's scanner does, oddities included: `1a` is two names, and `#` starts a comment
 * anywhere. After `next()` the fields describe the token that was found.
 */
export class DotScanner {
  readonly text: string;
  kind: number = TOKEN.end;
  start = 0;
  end = 0;
  /** The decoded value of a name, number or string. */
  value = '';
  /** Decides the edge operator; known after the graph's first word. */
  directed = true;

  /** Collects comments, if given. */
  readonly #comments: string[] | undefined;

  constructor(text: string, comments?: string[]) {
    this.text = text;
    this.#comments = comments;
    // Graphviz reads a byte order mark as part of the first word; editors write it and never show it.
    if (text.charCodeAt(0) === BYTE_ORDER_MARK) this.end = 1;
  }

  next(): void {
    const { text } = this;
    const start = this.#skip(this.end);
    this.start = start;
    if (start >= text.length) {
      this.kind = TOKEN.end;
      this.end = start;
      return;
    }
    const code = text.charCodeAt(start);
    if (isLetter(code)) this.#name(start);
    else if (code === QUOTE) this.#quoted(start);
    else if (MARKS.has(code)) {
      this.kind = code;
      this.end = start + 1;
    } else if (code === MINUS && this.#isEdge(start)) {
      this.kind = TOKEN.edge;
      this.end = start + 2;
    } else if (code === LESS) this.#html(start);
    else this.#number(start, code);
  }

  /** The token as it is written, for messages. */
  found(): string {
    if (this.kind === TOKEN.end) return 'the end of the file';
    const written = this.text.slice(this.start, Math.min(this.end, this.start + 40));
    return `${JSON.stringify(written).slice(1, -1)}${this.end - this.start > 40 ? '…' : ''}`;
  }

  #skip(from: number): number {
    const { text } = this;
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === SPACE || code === NEWLINE || code === TAB || code === RETURN) at++;
      else if (code === HASH || (code === SLASH && text.charCodeAt(at + 1) === SLASH)) {
        const end = this.#lineEnd(at);
        this.#comments?.push(text.slice(at, end).trimEnd());
        at = end;
      } else if (code === SLASH && text.charCodeAt(at + 1) === STAR) {
        const end = text.indexOf('*/', at + 2);
        if (end === -1) throw new DotFault('dot.open-comment', 'unterminated comment /*', at);
        this.#comments?.push(text.slice(at, end));
        at = end + 2;
      } else if (code === BYTE_ORDER_MARK && !isLetterOrDigit(text.charCodeAt(at + 1))) at++;
      else return at;
    }
  }

  #lineEnd(at: number): number {
    const end = this.text.indexOf('\n', at);
    return end === -1 ? this.text.length : end;
  }

  #isEdge(start: number): boolean {
    return this.text.charCodeAt(start + 1) === (this.directed ? GREATER : MINUS);
  }

  #name(start: number): void {
    const { text } = this;
    let end = start + 1;
    while (isLetterOrDigit(text.charCodeAt(end))) end++;
    this.end = end;
    const value = text.slice(start, end);
    this.value = value;
    const length = end - start;
    this.kind = (length >= 4 && length <= 8 ? WORDS.get(value.toLowerCase()) : undefined) ?? TOKEN.name;
  }

  #number(start: number, first: number): void {
    const { text } = this;
    let end = first === MINUS ? start + 1 : start;
    const digits = end;
    while (isDigit(text.charCodeAt(end))) end++;
    const whole = end - digits;
    if (text.charCodeAt(end) === DOT) {
      end++;
      while (isDigit(text.charCodeAt(end))) end++;
    }
    if (whole === 0 && end - digits < 2) throw this.#stray(start);
    this.kind = TOKEN.number;
    this.end = end;
    this.value = text.slice(start, end);
  }

  #stray(start: number): DotFault {
    const two = this.text.slice(start, start + 2);
    if (two === '->' || two === '--') {
      const right = this.directed ? 'a digraph uses ->' : 'an undirected graph uses --';
      return new DotFault('dot.edge-operator', `wrong edge operator ${two}: ${right}`, start);
    }
    const character = String.fromCodePoint(this.text.codePointAt(start) ?? 0);
    return new DotFault(
      'dot.character',
      `unexpected character ${JSON.stringify(character)}; quote any text that contains it`,
      start,
    );
  }

  /** Only `\"` and a backslash before a line end are escapes; all others are kept for rendering. */
  #quoted(start: number): void {
    const { text } = this;
    let value = '';
    let from = start + 1;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.kind = TOKEN.quoted;
        this.end = at + 1;
        const last = text.slice(from, at);
        this.value = value === '' ? last : value + last;
        return;
      }
      if (code !== BACKSLASH) continue;
      const escaped = text.charCodeAt(at + 1);
      if (escaped === QUOTE || escaped === NEWLINE) {
        value += text.slice(from, at);
        from = escaped === QUOTE ? at + 1 : at + 2;
        at++;
      } else if (escaped === BACKSLASH) at++;
    }
    throw new DotFault('dot.open-string', 'unterminated string "', start);
  }

  #html(start: number): void {
    const { text } = this;
    let depth = 0;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === LESS) depth++;
      else if (code === GREATER && --depth === 0) {
        this.kind = TOKEN.html;
        this.end = at + 1;
        this.value = text.slice(start + 1, at);
        return;
      }
    }
    throw new DotFault('dot.open-html', 'unterminated HTML text <', start);
  }
}

/** The comments of a valid graph text, in order. */
export function listComments(text: string, directed: boolean): string[] {
  const comments: string[] = [];
  const scanner = new DotScanner(text, comments);
  scanner.directed = directed;
  do scanner.next();
  while (scanner.kind !== TOKEN.end);
  return comments;
}
