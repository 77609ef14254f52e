/** A line of Markdown, classified for lists and headings. */
export type MarkdownLine =
  | { type: 'blank' }
  | { type: 'heading'; level: number; title: string }
  /** A thematic break; with a level, it makes the text line above it a heading. */
  | { type: 'rule'; level: 1 | 2 | undefined }
  | { type: 'bullet'; indent: number; text: string }
  | { type: 'text'; indent: number; text: string };

export interface Fence {
  mark: '`' | '~';
  length: number;
  indent: number;
}

const TAB = 4;

export function readMarkdownLine(line: string): MarkdownLine {
  const text = line.trim();
  if (text === '') return { type: 'blank' };
  const indent = indentOf(line);
  const heading = /^(#{1,6})(?:[ \t]|$)/.exec(text)?.[1];
  if (heading && indent < TAB) return { type: 'heading', level: heading.length, title: headingTitle(text) };
  if (indent < TAB && isRule(text)) return { type: 'rule', level: underlineLevel(text) };
  const bullet = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/.exec(text)?.[0];
  if (bullet) return { type: 'bullet', indent, text: text.slice(bullet.length).trim() };
  return { type: 'text', indent, text };
}

/** The title of `## Title ##`, without emphasis and final colon. */
function headingTitle(text: string): string {
  const words = text.split(/[ \t]+/).filter((word) => !/^#+$/.test(word));
  return words.join(' ').replace(/[*_`]/g, '').replace(/:$/, '').trim();
}

/** Three or more of the same mark, with or without spaces. */
function isRule(text: string): boolean {
  const marks = text.replace(/[ \t]/g, '');
  const mark = marks.charAt(0);
  return '-*_='.includes(mark) && marks.length >= 3 && runLength(marks, mark) === marks.length;
}

function underlineLevel(text: string): 1 | 2 | undefined {
  if (text.includes(' ') || text.includes('\t')) return undefined;
  if (text.startsWith('=')) return 1;
  return text.startsWith('-') ? 2 : undefined;
}

export function openedFence(text: string, indent: number): Fence | undefined {
  const mark = text.charAt(0);
  if (mark !== '`' && mark !== '~') return undefined;
  const length = runLength(text, mark);
  if (length < 3 || (mark === '`' && text.includes('`', length))) return undefined;
  return { mark, length, indent };
}

export function closesFence(line: string, { mark, length, indent }: Fence): boolean {
  const text = line.trim();
  const run = runLength(text, mark);
  return run >= length && run === text.length && indentOf(line) < indent + TAB;
}

function runLength(text: string, mark: string): number {
  let length = 0;
  while (text.charAt(length) === mark) length++;
  return length;
}

/** Columns before the first character; tab stops are four columns apart. */
export function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === ' ') columns++;
    else if (character === '\t') columns += TAB - (columns % TAB);
    else break;
  }
  return columns;
}
