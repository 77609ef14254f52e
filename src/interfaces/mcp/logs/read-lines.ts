import { read } from 'node:fs';
import { promisify } from 'node:util';
import type { OpenedLog } from './open-log.ts';

const readAt = promisify(read);

const CHUNK_BYTES = 256 * 1024;
/** Of one line; the rest of it is passed over. */
const MAX_LINE_BYTES = 16 * 1024;
const NEWLINE = 0x0a;

export interface LogRead {
  lines: number;
  /** Where reading began; more than 0 where the file is larger than what is looked at. */
  from: number;
}

/** More is not looked at: the end of a log is what matters. */
export const MAX_SCANNED_BYTES = 512 * 1024 * 1024;

/** Hands over a log line by line, however large it is, with never more than a piece of it in memory. */
export async function readLines(
  { descriptor, bytes }: Pick<OpenedLog, 'descriptor' | 'bytes'>,
  see: (line: string, number: number) => void,
  { signal, most = MAX_SCANNED_BYTES }: { signal?: AbortSignal | undefined; most?: number } = {},
): Promise<LogRead> {
  const from = Math.max(0, bytes - most);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let held: Buffer[] = [];
  let heldBytes = 0;
  let lines = 0;
  // The first line may have begun before.
  let skipping = from > 0;
  const keep = (piece: Buffer) => {
    const room = MAX_LINE_BYTES - heldBytes;
    if (room <= 0 || piece.length === 0) return;
    // Copied, since the chunk is read into again.
    held.push(Buffer.from(piece.subarray(0, room)));
    heldBytes += Math.min(room, piece.length);
  };
  const tell = (line: string) => {
    if (skipping) skipping = false;
    else see(line.endsWith('\r') ? line.slice(0, -1) : line, ++lines);
  };
  const tellHeld = () => {
    const line = Buffer.concat(held).toString('utf8');
    held = [];
    heldBytes = 0;
    tell(line);
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
        tell(filled.toString('utf8', start, Math.min(end, start + MAX_LINE_BYTES)));
      }
      start = end + 1;
    }
    keep(filled.subarray(start));
  }
  if (heldBytes > 0) tellHeld();
  return { lines, from };
}
