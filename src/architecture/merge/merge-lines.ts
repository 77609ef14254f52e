import { diffArrays } from 'diff';

/** Finding the fewest changed lines takes too long beyond this number; then all lines between the common start and end count as changed. */
export const MAX_CHANGED_LINES = 2000;

export interface MergedLines {
  text: string;
  /** Number of conflicts marked in the text. */
  conflicts: number;
}

/** Three-way merge by lines, as git does it: takes changes of one side, marks conflicting ones. */
export function mergeLines(base: string, ours: string, theirs: string): MergedLines {
  const [b, o, t] = [splitLines(base), splitLines(ours), splitLines(theirs)];
  const inOurs = lineMap(b, o);
  const inTheirs = lineMap(b, t);
  const out: string[] = [];
  let conflicts = 0;
  let at = { base: 0, ours: 0, theirs: 0 };
  for (const anchor of anchors(b, inOurs, inTheirs, { base: b.length, ours: o.length, theirs: t.length })) {
    const was = b.slice(at.base, anchor.base).join('');
    const mine = o.slice(at.ours, anchor.ours).join('');
    const other = t.slice(at.theirs, anchor.theirs).join('');
    if (mine === other || other === was) out.push(mine);
    else if (mine === was) out.push(other);
    else {
      conflicts++;
      out.push(conflictBlock(mine, other));
    }
    if (anchor.base < b.length) out.push(b[anchor.base] ?? '');
    at = { base: anchor.base + 1, ours: anchor.ours + 1, theirs: anchor.theirs + 1 };
  }
  return { text: out.join(''), conflicts };
}

/** Both sides between git's conflict markers. */
export function conflictBlock(ours: string, theirs: string): string {
  const newline = /\r\n/.test(ours + theirs) ? '\r\n' : '\n';
  const whole = (text: string) => (text === '' || text.endsWith('\n') ? text : text + newline);
  return `<<<<<<< ours${newline}${whole(ours)}=======${newline}${whole(theirs)}>>>>>>> theirs${newline}`;
}

interface Position {
  base: number;
  ours: number;
  theirs: number;
}

/** Lines of the base that both sides still have, and finally the end of each text. */
function anchors(
  base: readonly string[],
  inOurs: ReadonlyMap<number, number>,
  inTheirs: ReadonlyMap<number, number>,
  end: Position,
): Position[] {
  const found: Position[] = [];
  base.forEach((_, line) => {
    const ours = inOurs.get(line);
    const theirs = inTheirs.get(line);
    if (ours !== undefined && theirs !== undefined) found.push({ base: line, ours, theirs });
  });
  return [...found, end];
}

/** The lines of `to` that match lines of `from`. */
function lineMap(from: readonly string[], to: readonly string[]): Map<number, number> {
  const map = new Map<number, number>();
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) map.set(head, head++);
  let tail = 0;
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail++;
  const middle = [from, to].map((lines) => lines.slice(head, lines.length - tail));
  let left = head;
  let right = head;
  for (const part of diffArrays(middle[0] ?? [], middle[1] ?? [], { maxEditLength: MAX_CHANGED_LINES }) ??
    []) {
    for (let index = 0; index < part.count; index++) {
      if (!part.added && !part.removed) map.set(left, right);
      if (!part.added) left++;
      if (!part.removed) right++;
    }
  }
  for (; tail > 0; tail--) map.set(from.length - tail, to.length - tail);
  return map;
}

/** Lines with their line endings. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
