import { read } from 'node:fs';
import { promisify } from 'node:util';
import type { OpenedLog } from './open-log.ts';

const readAt = promisify(read);

const CHUNK_BYTES = 256 * 1024;
/** Of one line; the rest of it is passed over. */
export const MAX_LINE_BYTES = 16 * 1024;
const NEWLINE = 0x0a;

export interface LogRead {
  lines: number;
  /** Where reading began; more than 0 where the file is larger than what is looked at. */
  from: number;
  /** Lines of which only the beginning was looked at. */
  cut: number;
  /** No line begins or ends in what was looked at: all of it is a piece of one, and that is the line handed over. */
  piece: boolean;
}

/** More is not looked at: the end of a log is what matters. */
export const MAX_SCANNED_BYTES = 512 * 1024 * 1024;

/**
 * Hands over a log line by line, however large it is, with never more than a piece of it in memory. Of a line that is longer
 * than that its beginning is handed over, with the bytes that it has.
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
  // The first line may have begun before.
  let skipping = from > 0;
  const keep = (piece: Buffer) => {
    lineBytes += piece.length;
    const room = MAX_LINE_BYTES - heldBytes;
    if (room <= 0 || piece.length === 0) return;
    // Copied, since the chunk is read into again.
    held.push(Buffer.from(piece.subarray(0, room)));
    heldBytes += Math.min(room, piece.length);
  };
  const tell = (line: string, length: number) => {
    if (skipping) {
      skipping = false;
      return;
    }
    if (length > MAX_LINE_BYTES) result.cut += 1;
    see(line.endsWith('\r') ? line.slice(0, -1) : line, ++result.lines, length);
  };
  const tellHeld = () => {
    const line = Buffer.concat(held).toString('utf8');
    const length = lineBytes;
    held = [];
    heldBytes = 0;
    lineBytes = 0;
    tell(line, length);
  };
  // What is written while it is read is another question.
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
        tellHeld();
      } else {
        tell(filled.toString('utf8', start, Math.min(end, start + MAX_LINE_BYTES)), end - start);
      }
      start = end + 1;
    }
    keep(filled.subarray(start));
  }
  if (heldBytes > 0) {
    result.piece = skipping;
    skipping = false;
    tellHeld();
  }
  return result;
}
