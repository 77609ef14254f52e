export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'hunk' | 'note';
  before: number | null;
  after: number | null;
  text: string;
}

/** The lines of one file's unified diff, with their numbers; the header is left out. */
export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      inHunk = true;
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      lines.push({ kind: 'hunk', before: null, after: null, text: line });
    } else if (!inHunk) {
      if (line.startsWith('Binary files'))
        lines.push({ kind: 'note', before: null, after: null, text: 'Not text.' });
    } else if (line.startsWith('+')) {
      lines.push({ kind: 'added', before: null, after, text: line.slice(1) });
      after += 1;
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'removed', before, after: null, text: line.slice(1) });
      before += 1;
    } else if (line.startsWith('\\')) {
      lines.push({ kind: 'note', before: null, after: null, text: line.slice(2) });
    } else {
      lines.push({ kind: 'same', before, after, text: line.slice(1) });
      before += 1;
      after += 1;
    }
  }
  return lines;
}
