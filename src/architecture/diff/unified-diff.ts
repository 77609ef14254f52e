import { matchLines } from './match-lines.ts';

const CONTEXT = 3;

interface Change {
  leftStart: number;
  leftEnd: number;
  rightStart: number;
  rightEnd: number;
}

/** What changed between two texts, as `diff -u` and git show it; empty if nothing did. */
export function unifiedDiff(name: string, before: string | undefined, after: string): string {
  if (before === after) return '';
  const left = splitLines(before ?? '');
  const right = splitLines(after);
  const header = `--- ${before === undefined ? '/dev/null' : `a/${name}`}\n+++ b/${name}\n`;
  return (
    header +
    hunks(findChanges(left, right))
      .map((hunk) => writeHunk(hunk, left, right))
      .join('')
  );
}

/** Lines with their ends. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function findChanges(left: readonly string[], right: readonly string[]): Change[] {
  const changes: Change[] = [];
  let leftEnd = 0;
  let rightEnd = 0;
  const end = { left: left.length, right: right.length, length: 0 };
  for (const match of [...matchLines(left, right), end]) {
    if (match.left > leftEnd || match.right > rightEnd) {
      changes.push({ leftStart: leftEnd, leftEnd: match.left, rightStart: rightEnd, rightEnd: match.right });
    }
    leftEnd = match.left + match.length;
    rightEnd = match.right + match.length;
  }
  return changes;
}

/** Changes that are near each other are shown together. */
function hunks(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const previous = last?.at(-1);
    if (last && previous && change.leftStart - previous.leftEnd <= 2 * CONTEXT) last.push(change);
    else groups.push([change]);
  }
  return groups;
}

function writeHunk(changes: readonly Change[], left: readonly string[], right: readonly string[]): string {
  const first = changes[0];
  const last = changes.at(-1);
  if (!first || !last) return '';
  const lead = Math.min(CONTEXT, first.leftStart);
  const trail = Math.min(CONTEXT, left.length - last.leftEnd);
  const lines: string[] = [];
  const show = (mark: string, line: string) =>
    lines.push(line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`);
  let at = first.leftStart - lead;
  for (const change of changes) {
    for (; at < change.leftStart; at++) show(' ', left[at] ?? '');
    for (; at < change.leftEnd; at++) show('-', left[at] ?? '');
    for (let line = change.rightStart; line < change.rightEnd; line++) show('+', right[line] ?? '');
  }
  for (; at < last.leftEnd + trail; at++) show(' ', left[at] ?? '');
  const leftRange = range(first.leftStart - lead, last.leftEnd + trail);
  const rightRange = range(first.rightStart - lead, last.rightEnd + trail);
  return `@@ -${leftRange} +${rightRange} @@\n${lines.join('')}`;
}

function range(start: number, end: number): string {
  const count = end - start;
  return `${count === 0 ? start : start + 1},${count}`;
}
