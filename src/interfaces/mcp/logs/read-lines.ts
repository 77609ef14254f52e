import { read } from 'node:fs';
import { promisify } from 'node:util';
import type { OpenedLog } from './open-log.ts';

const readAt = promisify(read);

const CHUNK_BYTES = 256 * 1024;
/** Per line; the rest is skipped. */
export const MAX_LINE_BYTES = 16 * 1024;
const NEWLINE = 0x0a;

export interface LogRead {
  lines: number;
  /** Start offset; more than 0 if the file is larger than the limit. */
  from: number;
  /** Number of truncated lines. */
  cut: number;
  /** The part that was read has no line break: it is a piece of one line. */
  piece: boolean;
}

/** Only the end of a larger log is read. */
export const MAX_SCANNED_BYTES = 512 * 1024 * 1024;

/**
 * Reads a log of any size line by line, with only one chunk in memory. A longer line is truncated, and its size in bytes is
 * passed along.
 */
export async function readLines(
  { descriptor, bytes }: Pick<OpenedLog, 'descriptor' | 'bytes'>,
  see: (line: string, number: number, bytes: number) => void,
  { signal, most = MAX_SCANNED_BYTES }: { signal?: AbortSignal | undefined; most?: number } = {},
): Promise<LogRead> {
  const from = Math.max(0, bytes - most);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const result: LogRead = { lines: 0, from, cut: 0, piece: false };
  let held: Buffer[] = [];
  let heldBytes = 0;
  let lineBytes = 0;
  // The first line may be incomplete.
  let skipping = from > 0;
  const keep = (piece: Buffer) => {
    lineBytes += piece.length;
    const room = MAX_LINE_BYTES - heldBytes;
    if (room <= 0 || piece.length === 0) return;
    // Copied, because the chunk is reused.
    held.push(Buffer.from(piece.subarray(0, room)));
    heldBytes += Math.min(room, piece.length);
  };
  const pass = (line: string, length: number) => {
    if (skipping) {
      skipping = false;
      return;
    }
    if (length > MAX_LINE_BYTES) result.cut += 1;
    see(line.endsWith('\r') ? line.slice(0, -1) : line, ++result.lines, length);
  };
  const passHeld = () => {
    const line = Buffer.concat(held).toString('utf8');
    const length = lineBytes;
    held = [];
    heldBytes = 0;
    lineBytes = 0;
    pass(line, length);
  };
  // Later writes are ignored.
  for (let at = from; at < bytes; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await readAt(descriptor, chunk, 0, Math.min(CHUNK_BYTES, bytes - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const filled = chunk.subarray(0, bytesRead);
    let start = 0;
    for (let end = filled.indexOf(NEWLINE); end >= 0; end = filled.indexOf(NEWLINE, start)) {
      if (heldBytes > 0) {
        keep(filled.subarray(start, end));
        passHeld();
      } else {
        pass(filled.toString('utf8', start, Math.min(end, start + MAX_LINE_BYTES)), end - start);
      }
      start = end + 1;
    }
    keep(filled.subarray(start));
  }
  if (heldBytes > 0) {
    result.piece = skipping;
    skipping = false;
    passHeld();
  }
  return result;
}

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

type LogLevel = (typeof LOG_LEVELS)[number];

interface LineWish {
  /** All of them. */
  contains: readonly string[];
  /** None of them. */
  without: readonly string[];
  ignoreCase: boolean;
  /** Lines of this level and of worse ones. */
  level: LogLevel | undefined;
}

/** Whether a line matches. Plain comparison: an untrusted pattern could run forever. */
export function lineFilter({ contains, without, ignoreCase, level }: LineWish): (line: string) => boolean {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const wanted = contains.map(fold);
  const unwanted = without.map(fold);
  const worst = level === undefined ? undefined : LOG_LEVELS.indexOf(level);
  return (line) => {
    const text = fold(line);
    if (!wanted.every((one) => text.includes(one)) || unwanted.some((one) => text.includes(one)))
      return false;
    if (worst === undefined) return true;
    const found = levelOf(line);
    return found !== undefined && LOG_LEVELS.indexOf(found) <= worst;
  };
}

const WORDS: ReadonlyMap<string, LogLevel> = new Map([
  ['fatal', 'error'],
  ['critical', 'error'],
  ['crit', 'error'],
  ['severe', 'error'],
  ['panic', 'error'],
  ['error', 'error'],
  ['err', 'error'],
  ['warning', 'warn'],
  ['warn', 'warn'],
  ['notice', 'info'],
  ['info', 'info'],
  ['debug', 'debug'],
  ['trace', 'debug'],
  ['verbose', 'debug'],
]);

/** Levels stand at the beginning of a line. */
const HEAD_CHARACTERS = 200;

/** The level that a line names first. */
export function levelOf(line: string): LogLevel | undefined {
  for (const [word] of line.slice(0, HEAD_CHARACTERS).matchAll(/[A-Za-z]+/g)) {
    const level = WORDS.get(word.toLowerCase());
    if (level) return level;
  }
  return undefined;
}
