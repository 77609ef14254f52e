/** One word, literal or operator of code, and the space and comments before it. */
interface Piece {
  gap: string;
  text: string;
  /** Where the text starts. */
  at: number;
}

/** Pieces of the base that the change replaces, from and up to; equal numbers for an insertion. */
interface Hunk {
  before: readonly [from: number, to: number];
  after: readonly [from: number, to: number];
}

const PIECE =
  /((?:\s|\/\/[^\n]*(?=\n|$))*)(\w+|"(?:\\[\s\S]|[^"\\])*"|`[^`]*`|'(?:\\.|[^'\\\n])'|[()[\]{},;]|(?:(?!\/\/)[^\w\s"`()[\]{},;])+|[\s\S])/gy;
/** More parts than this belong to different changes. */
const MOST_JOINED = 5;
/** Larger declarations count as replaced between their equal ends. */
const MOST_CELLS = 4_000_000;

/**
 * The base's version of a declaration with those parts of the change that are nearest to the given offsets, which do not compile.
 * Everything else stays, such as the expectations. Undefined if nothing is left to take.
 */
export function adaptCode(before: string, after: string, offsets: readonly number[]): string | undefined {
  const [old, now] = [piecesOf(before), piecesOf(after)];
  const hunks = findHunks(old, now);
  const taken = new Set(
    offsets.flatMap((offset) => {
      const found = nearest(hunks, pieceAt(old, offset));
      return found === undefined ? [] : withBrackets(found, hunks, { old, now });
    }),
  );
  if (taken.size === 0) return undefined;
  const parts: string[] = [];
  const add = (pieces: readonly Piece[]) => {
    for (const { gap, text } of pieces) {
      // Words of both versions may meet.
      const isJoined = gap === '' && /^\w/.test(text) && /\w$/.test(parts.at(-1) ?? '');
      parts.push(isJoined ? ' ' : gap, text);
    }
  };
  let at = 0;
  for (const hunk of hunks) {
    const [from, to] = hunk.before;
    add(old.slice(at, from));
    add(taken.has(hunk) ? now.slice(...hunk.after) : old.slice(from, to));
    at = to;
  }
  add(old.slice(at));
  return parts.join('');
}

function piecesOf(text: string): Piece[] {
  return [...text.matchAll(PIECE)].map(({ index, 1: gap = '', 2: word = '' }) => ({
    gap,
    text: word,
    at: index + gap.length,
  }));
}

function pieceAt(pieces: readonly Piece[], offset: number): number {
  const found = pieces.findIndex(({ at, text }) => offset < at + text.length);
  return found === -1 ? pieces.length : found;
}

function nearest(hunks: readonly Hunk[], piece: number): Hunk | undefined {
  const distance = ({ before: [from, to] }: Hunk) =>
    piece < from ? from - piece : piece >= to ? piece - to + 1 : 0;
  let best: Hunk | undefined;
  for (const hunk of hunks) if (best === undefined || distance(hunk) < distance(best)) best = hunk;
  return best;
}

/** Code around another value is two hunks: `Options{` and `}`. */
function withBrackets(
  first: Hunk,
  hunks: readonly Hunk[],
  { old, now }: { old: readonly Piece[]; now: readonly Piece[] },
): readonly Hunk[] {
  const opened = ({ before, after }: Hunk) =>
    bracketsOf(now.slice(...after)) - bracketsOf(old.slice(...before));
  let open = opened(first);
  const step = open > 0 ? 1 : -1;
  const taken = [first];
  for (let at = hunks.indexOf(first); open !== 0 && taken.length < MOST_JOINED; ) {
    at += step;
    const next = hunks[at];
    if (next === undefined) return [first];
    taken.push(next);
    open += opened(next);
  }
  return open === 0 ? taken : [first];
}

/** How many more brackets open than close. */
function bracketsOf(pieces: readonly Piece[]): number {
  let open = 0;
  for (const { text } of pieces)
    if (/^[([{]$/.test(text)) open += 1;
    else if (/^[)\]}]$/.test(text)) open -= 1;
  return open;
}

function findHunks(old: readonly Piece[], now: readonly Piece[]): Hunk[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start]?.text === now[start]?.text) start += 1;
  let [oldEnd, nowEnd] = [old.length, now.length];
  while (oldEnd > start && nowEnd > start && old[oldEnd - 1]?.text === now[nowEnd - 1]?.text) {
    oldEnd -= 1;
    nowEnd -= 1;
  }
  const [rows, columns] = [oldEnd - start, nowEnd - start];
  if (rows === 0 && columns === 0) return [];
  if (rows * columns > MOST_CELLS) return [{ before: [start, oldEnd], after: [start, nowEnd] }];
  const width = columns + 1;
  /** The length of the longest common subsequence of what follows. */
  const common = new Uint32Array((rows + 1) * width);
  const same = (row: number, column: number) => old[start + row]?.text === now[start + column]?.text;
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1)
      common[row * width + column] = same(row, column)
        ? (common[(row + 1) * width + column + 1] ?? 0) + 1
        : Math.max(common[(row + 1) * width + column] ?? 0, common[row * width + column + 1] ?? 0);
  const hunks: Hunk[] = [];
  let [row, column, fromRow, fromColumn] = [0, 0, 0, 0];
  const close = () => {
    if (row > fromRow || column > fromColumn)
      hunks.push({ before: [start + fromRow, start + row], after: [start + fromColumn, start + column] });
  };
  while (row < rows && column < columns) {
    if (same(row, column)) {
      close();
      [row, column] = [row + 1, column + 1];
      [fromRow, fromColumn] = [row, column];
    } else if ((common[(row + 1) * width + column] ?? 0) >= (common[row * width + column + 1] ?? 0)) row += 1;
    else column += 1;
  }
  [row, column] = [rows, columns];
  close();
  return hunks;
}
