import type { PythonLine } from './lex-python.ts';
import type { Token } from './token.ts';

/** The lines of a function, whether below its `def` or behind it. */
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
