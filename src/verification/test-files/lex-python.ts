import type { Token } from './token.ts';

/** A logical line of Python: continued lines joined, comments removed. */
export interface PythonLine {
  indent: number;
  tokens: Token[];
}

export interface PythonLines {
  lines: PythonLine[];
  uncertain: boolean;
}

const MAX_TOKENS = 3_000_000;
const NAME_START = /[A-Za-z_\u0080-\uffff]/;
const WORD = /[\w\u0080-\uffff]+/y;
const PREFIX = /^(?:[rbfu]|rb|br|rf|fr)$/i;
/** A statement at the start of a line closes all open brackets. */
const STATEMENT = /^(?:def|class|async def|@)\b/;

/** Splits Python into logical lines. It never fails; unreadable text makes the result uncertain. */
export function lexPython(text: string): PythonLines {
  const lines: PythonLine[] = [];
  let tokens: Token[] = [];
  let indent = 0;
  let depth = 0;
  let count = 0;
  let line = 1;
  let at = 0;
  let uncertain = false;
  let lineStart = true;
  const endless: Record<string, number> = { '"': 0, "'": 0, '"""': 0, "'''": 0 };
  const finish = () => {
    if (tokens.length > 0) lines.push({ indent, tokens });
    tokens = [];
    lineStart = true;
  };
  const push = (type: Token['type'], value: string) => {
    tokens.push({ type, text: value, line });
    count += 1;
  };
  while (at < text.length && count < MAX_TOKENS) {
    const char = text[at] ?? '';
    if (lineStart) {
      const start = at;
      while (text[at] === ' ' || text[at] === '\t' || text[at] === '\f' || text[at] === '\uFEFF') at += 1;
      indent = width(text, start, at);
      lineStart = false;
      continue;
    }
    if (char === '\n') {
      line += 1;
      at += 1;
      if (depth > 0 && STATEMENT.test(text.slice(at, at + 12))) {
        uncertain = true;
        depth = 0;
      }
      if (depth === 0) finish();
    } else if (char === '\\' && /^\r?\n/.test(text.slice(at + 1, at + 3))) {
      at = text.indexOf('\n', at) + 1;
      line += 1;
    } else if (char === ' ' || char === '\t' || char === '\r' || char === '\f') at += 1;
    else if (char === '#') {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else if (char === '"' || char === "'") {
      const quote = text.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
      const end = at < (endless[quote] ?? 0) ? -1 : stringEnd(text, at + quote.length, quote);
      if (end === -1) {
        if (at >= (endless[quote] ?? 0)) {
          // Nothing that opens after here ends on this line either.
          const lineEnd = text.indexOf('\n', at);
          endless[quote] = quote.length === 3 || lineEnd === -1 ? text.length : lineEnd;
          uncertain = true;
        }
        push('mark', char);
        at += 1;
      } else {
        const last = tokens.at(-1);
        if (last?.type === 'name' && PREFIX.test(last.text) && text[at - 1] === last.text.at(-1))
          tokens.pop();
        const value = text.slice(at + quote.length, end);
        push('string', value);
        for (let place = at; place < end; place += 1) if (text[place] === '\n') line += 1;
        at = end + quote.length;
      }
    } else if (NAME_START.test(char) || (char >= '0' && char <= '9')) {
      WORD.lastIndex = at;
      const word = WORD.exec(text)?.[0] ?? char;
      push(NAME_START.test(char) ? 'name' : 'number', word);
      at += word.length;
    } else {
      if (char === '(' || char === '[' || char === '{') depth += 1;
      else if (char === ')' || char === ']' || char === '}') depth = Math.max(0, depth - 1);
      if (char === ';' && depth === 0) {
        finish();
        lineStart = false;
      } else push('mark', char);
      at += 1;
    }
  }
  finish();
  return { lines, uncertain: uncertain || depth > 0 || at < text.length };
}

function width(text: string, start: number, end: number): number {
  let columns = 0;
  for (let at = start; at < end; at += 1) {
    if (text[at] === '\t') columns += 8 - (columns % 8);
    else if (text[at] === ' ') columns += 1;
  }
  return columns;
}

function stringEnd(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '\n' && quote.length === 1) return -1;
    else if (char === quote[0] && text.startsWith(quote, at)) return at;
  }
  return -1;
}

/** The lines of a function, below its `def` or on the same line. */
export function bodyLines(lines: PythonLine[], at: number, end: number): PythonLine[] {
  const line = lines[at] as PythonLine;
  const colon = bodyColon(line.tokens);
  const behind = colon === -1 ? [] : line.tokens.slice(colon + 1);
  const below = lines.slice(at + 1, end);
  return behind.length > 0 ? [{ indent: line.indent + 1, tokens: behind }, ...below] : below;
}

function bodyColon(tokens: Token[]): number {
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'mark') continue;
    if ('([{'.includes(token.text)) depth += 1;
    else if (')]}'.includes(token.text)) depth -= 1;
    else if (token.text === ':' && depth === 0) return at;
  }
  return -1;
}

export function blockEnd(lines: PythonLine[], at: number): number {
  const { indent } = lines[at] as PythonLine;
  let end = at + 1;
  while (end < lines.length && (lines[end]?.indent ?? 0) > indent) end += 1;
  return end;
}
