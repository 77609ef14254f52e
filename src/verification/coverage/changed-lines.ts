import { GuardKitError } from '../../guardkit-error.ts';
import { findMovedLines, linesBeyondFormatting } from './rearranged-lines.ts';

/** Options that make git's output readable for `changedLines`, whatever the person's configuration. */
export const CHANGED_LINES_DIFF: readonly string[] = [
  'diff',
  '-U0',
  '--inter-hunk-context=0',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--ignore-submodules',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/**
 * The lines that a diff adds or changes by more than formatting, by their path after it. Files that only lose lines are
 * left out, and so are lines that only moved.
 */
export function changedLines(diff: string): Map<string, Set<number>> {
  const hunks = readHunks(diff);
  const moved = findMovedLines(
    hunks.map(({ oldPath, removed }) => ({ path: oldPath, lines: removed })),
    hunks.map(({ path = '', added }) => ({ path, lines: added })),
  );
  const changed = new Map<string, Set<number>>();
  for (const [at, { path, removed, added, numbers }] of hunks.entries()) {
    if (path === undefined) continue;
    const beyond = linesBeyondFormatting(path, removed, added).filter((index) => !moved[at]?.has(index));
    if (beyond.length === 0) continue;
    const lines = changed.get(path) ?? new Set();
    for (const index of beyond) lines.add(numbers[index] ?? 0);
    changed.set(path, lines);
  }
  return changed;
}

interface PlacedHunk extends Hunk {
  oldPath: string;
  /** Undefined if the file is deleted. */
  path: string | undefined;
}

function readHunks(diff: string): PlacedHunk[] {
  const hunks: PlacedHunk[] = [];
  const reader = new LineReader(diff);
  let oldPath = '';
  let path: string | undefined;
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    if (line.startsWith('diff --git ')) {
      oldPath = '';
      path = undefined;
    } else if (line.startsWith('--- ')) oldPath = pathAfter('a/', line.slice(4)) ?? '';
    else if (line.startsWith('+++ ')) path = pathAfter('b/', line.slice(4));
    else if (line.startsWith('@@ ')) hunks.push({ ...readHunk(line, reader), oldPath, path });
  }
  return hunks;
}

/** A hunk is read by its counts: its lines are file contents and may look like anything, such as a header. */
function readHunk(header: string, reader: LineReader): Hunk {
  const match = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(header);
  if (!match) throw unreadable(`this is not a hunk: ${JSON.stringify(header.slice(0, 200))}`);
  let before = Number(match[1] ?? 1);
  let number = Number(match[2]);
  let after = Number(match[3] ?? 1);
  const hunk: Hunk = { removed: [], added: [], numbers: [] };
  while (before > 0 || after > 0) {
    const line = reader.next();
    if (line === undefined) throw unreadable('it ends within a hunk');
    if (line.startsWith('\\')) continue;
    if (line.startsWith('-')) {
      hunk.removed.push(line.slice(1));
      before--;
      continue;
    }
    if (line.startsWith('+')) {
      hunk.added.push(line.slice(1));
      hunk.numbers.push(number);
    } else before--;
    number++;
    after--;
  }
  return hunk;
}

interface Hunk {
  removed: string[];
  added: string[];
  /** Of the added lines, in the new file. */
  numbers: number[];
}

/** A path with a space in it is followed by a tab. */
function pathAfter(prefix: 'a/' | 'b/', shown: string): string | undefined {
  const path = shown.startsWith('"') ? unquotePath(shown) : shown.replace(/\t$/, '');
  if (path === '/dev/null') return undefined;
  if (path === undefined || !path.startsWith(prefix)) {
    throw unreadable(`this is not a path: ${JSON.stringify(shown.slice(0, 200))}`);
  }
  return path.slice(2);
}

function unreadable(what: string): GuardKitError {
  return new GuardKitError({
    code: 'diff.unreadable',
    kind: 'outside',
    message: `Cannot parse the output of git diff: ${what}.`,
    hint: 'Run `git diff` here yourself; if it works, report this as a bug in GuardKit.',
  });
}

class LineReader {
  readonly #text: string;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): string | undefined {
    if (this.#start >= this.#text.length) return undefined;
    const found = this.#text.indexOf('\n', this.#start);
    const end = found === -1 ? this.#text.length : found;
    const line = this.#text.slice(this.#start, end);
    this.#start = end + 1;
    return line;
  }
}

const ESCAPES: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
  ['"', 34],
  ['\\', 92],
]);

/** Decodes a path that git shows in double quotes with octal escapes; undefined if it is not quoted like that. */
function unquotePath(shown: string): string | undefined {
  const bytes: Buffer[] = [];
  let at = 1;
  while (at < shown.length) {
    const character = shown.charAt(at);
    if (character === '"') return Buffer.concat(bytes).toString('utf8');
    if (character !== '\\') {
      const end = shown.slice(at).search(/["\\]/);
      if (end === -1) return undefined;
      bytes.push(Buffer.from(shown.slice(at, at + end)));
      at += end;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(shown.slice(at + 1, at + 4))?.[0];
    const byte = octal === undefined ? ESCAPES.get(shown.charAt(at + 1)) : Number.parseInt(octal, 8);
    if (byte === undefined) return undefined;
    bytes.push(Buffer.from([byte]));
    at += octal === undefined ? 2 : 4;
  }
  return undefined;
}
