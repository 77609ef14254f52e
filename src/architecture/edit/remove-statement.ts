import type { Statement } from '../dot/dot-syntax.ts';
import { indentAt } from './file-style.ts';
import { endOfLine } from './insert-statement.ts';
import type { TextPatch } from './text-patch.ts';

/** Takes a statement out: its whole lines, with the remark at their end, where it has lines of its own. */
export function removeStatement(text: string, statement: Statement): TextPatch {
  const { start } = statement;
  const end = statement.semicolon === -1 ? statement.end : statement.semicolon + 1;
  const indent = indentAt(text, start);
  const lineEnd = endOfLine(text, end);
  if (indent !== undefined && lineEnd !== undefined) {
    return { start: start - indent.length, end: text.indexOf('\n', lineEnd) + 1, text: '' };
  }
  let after = end;
  while (text.charAt(after) === ' ' || text.charAt(after) === '\t') after++;
  const isApart =
    after > end || /[\s;,{}\]]/.test(text.charAt(start - 1)) || /[\s;}]/.test(text.charAt(after));
  const keepsBlank = after > end && !/[\s{]/.test(text.charAt(start - 1));
  return { start, end: after, text: isApart && !keepsBlank ? '' : ' ' };
}
