import { type Body, type DotTree, type Statement, writeAtom } from '../dot/dot-syntax.ts';
import { type FileStyle, indentAt, type ListStyle } from './file-style.ts';

/** Replaces the text from `start` up to, not including, `end`. */
export interface TextPatch {
  start: number;
  end: number;
  text: string;
}

/** Applies all patches and leaves the text between them unchanged. */
export function applyPatches(text: string, patches: readonly TextPatch[]): string {
  return sliceWithPatches(text, 0, text.length, patches);
}

/** A part of the text, with the patches inside it applied. */
export function sliceWithPatches(
  text: string,
  start: number,
  end: number,
  patches: readonly TextPatch[],
): string {
  const inside = patches
    .filter((patch) => patch.start >= start && patch.end <= end)
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let result = '';
  let at = start;
  for (const patch of inside) {
    if (patch.start < at) throw new Error(`patches overlap at offset ${patch.start}`);
    result += text.slice(at, patch.start) + patch.text;
    at = patch.end;
  }
  return result + text.slice(at, end);
}

/** Inserts a statement after another one of the same body, or as the last one, in the formatting of the file. */
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

/** The end of the line, if only whitespace and comments remain on it; otherwise undefined. */
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

/** Removes a statement; if it is alone on its lines, the whole lines with their trailing comment. */
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

/** The statement to insert a new node after: the graph's last node, otherwise the statement before its first edge. */
export function nodeAnchor({ body: { statements } }: DotTree): Statement | undefined {
  const last = statements.findLast(({ type }) => type === 'nodes');
  if (last) return last;
  const firstEdge = statements.findIndex(({ type }) => type === 'edge');
  return firstEdge > 0 ? statements[firstEdge - 1] : statements.at(-1);
}

/** The statement to insert a new edge after: the last edge, otherwise the last statement. */
export function edgeAnchor({ body: { statements } }: DotTree): Statement | undefined {
  return statements.findLast(({ type }) => type === 'edge') ?? statements.at(-1);
}

export type FieldValues = ReadonlyMap<string, string>;

export function writeNodeStatement(id: string, fields: FieldValues, style: FileStyle): string {
  return writeAtom(id, style.ids) + writeList(fields, style.nodeList, style);
}

export function writeEdgeStatement(from: string, to: string, fields: FieldValues, style: FileStyle): string {
  const ends = [from, to].map((id) => writeAtom(id, style.ids)).join(style.arrow);
  return ends + writeList(fields, style.edgeList, style);
}

function writeList(fields: FieldValues, list: ListStyle, style: FileStyle): string {
  if (fields.size === 0) return '';
  const written = [...fields].map(([name, value]) => writeAttribute(name, value, list, style));
  return `${list.before}[${list.open}${written.join(list.between)}${list.close}]`;
}

export function writeAttribute(name: string, value: string, list: ListStyle, style: FileStyle): string {
  return `${writeAtom(name, 'bare')}${list.equals}${writeAtom(value, style.values)}`;
}
