import type { Body, Statement } from '../dot/dot-syntax.ts';
import { type FileStyle, indentAt } from './file-style.ts';
import type { TextPatch } from './text-patch.ts';

/** Writes a statement after another one of the same body, or as the last one; lines and marks as the file has them. */
export function insertStatement(
  text: string,
  body: Body,
  after: Statement | undefined,
  statement: string,
  style: FileStyle,
): TextPatch {
  const written = style.semicolons ? `${statement};` : statement;
  if (!after) return insertFirst(text, body, written, style);
  const end = after.semicolon === -1 ? after.end : after.semicolon + 1;
  const lineEnd = endOfLine(text, end);
  if (lineEnd !== undefined) {
    const indent = indentAt(text, after.start) ?? style.indent;
    return { start: lineEnd, end: lineEnd, text: `${style.newline}${indent}${written}` };
  }
  const inline = after.semicolon === -1 && style.semicolons ? `; ${statement}` : ` ${written}`;
  return { start: end, end, text: inline };
}

function insertFirst(text: string, { open, close }: Body, written: string, style: FileStyle): TextPatch {
  const closing = indentAt(text, close);
  if (closing !== undefined && text.slice(open, close).includes('\n')) {
    const start = close - closing.length;
    const indent = closing + style.indent;
    return { start, end: start, text: `${indent}${written}${style.newline}` };
  }
  const isEmpty = text.slice(open + 1, close).trim() === '';
  return isEmpty
    ? { start: open + 1, end: close, text: `${style.newline}${style.indent}${written}${style.newline}` }
    : { start: close, end: close, text: `${written} ` };
}

/** Where the line ends, if nothing but blanks and comments is left in it; undefined if something else is. */
export function endOfLine(text: string, from: number): number | undefined {
  let at = from;
  for (;;) {
    const character = text.charAt(at);
    if (character === '\n') return text.charAt(at - 1) === '\r' && at > from ? at - 1 : at;
    if (character === ' ' || character === '\t' || character === '\r') at++;
    else if (character === '#' || text.startsWith('//', at)) {
      const end = text.indexOf('\n', at);
      if (end === -1) return undefined;
      return text.charAt(end - 1) === '\r' ? end - 1 : end;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end === -1 || text.slice(at, end).includes('\n')) return undefined;
      at = end + 2;
    } else return undefined;
  }
}
