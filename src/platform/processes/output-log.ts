import { AtomicFile } from '../files/atomic-file.ts';

/** The last bytes of a stream, in a ring buffer. */
export class ByteTail {
  readonly #ring: Buffer;
  #next = 0;
  #total = 0;

  constructor(size: number) {
    this.#ring = Buffer.alloc(size);
  }

  add(bytes: Buffer): void {
    this.#total += bytes.length;
    const size = this.#ring.length;
    if (size === 0) return;
    const kept = bytes.subarray(Math.max(0, bytes.length - size));
    const untilEnd = Math.min(kept.length, size - this.#next);
    kept.copy(this.#ring, this.#next, 0, untilEnd);
    kept.copy(this.#ring, 0, untilEnd);
    this.#next = (this.#next + kept.length) % size;
  }

  /** Starts at the first whole character. */
  bytes(): Buffer {
    if (this.#total <= this.#ring.length) return Buffer.from(this.#ring.subarray(0, this.#total));
    const ordered = Buffer.concat([this.#ring.subarray(this.#next), this.#ring.subarray(0, this.#next)]);
    let start = 0;
    while (start < ordered.length && isContinuation(ordered[start])) start++;
    return ordered.subarray(start);
  }

  toString(): string {
    return this.bytes().toString('utf8');
  }
}

/** Whether this is a UTF-8 continuation byte. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

export interface OutputLogOptions {
  path: string;
  /** Limit; beyond it the middle of the output is dropped. */
  maxBytes: number;
}

/** The end, which shows why a command failed, is kept in memory, up to this size. */
const MAX_TAIL_BYTES = 1024 * 1024;

/** An output file, readable only by its owner, with the start and end of the output; written atomically. */
export class OutputLog {
  readonly #file: AtomicFile;
  readonly #tail: ByteTail;
  #headRoom: number;
  #afterHead = 0;

  constructor({ path, maxBytes }: OutputLogOptions) {
    const tailSize = Math.min(Math.floor(maxBytes / 2), MAX_TAIL_BYTES);
    this.#headRoom = maxBytes - tailSize;
    this.#tail = new ByteTail(tailSize);
    this.#file = new AtomicFile(path, 0o600);
  }

  /** Takes whole characters only. */
  add(bytes: Buffer): void {
    const cut = characterStart(bytes, this.#headRoom);
    if (cut > 0) this.#file.write(bytes.toString('utf8', 0, cut));
    // A character that does not fit ends the head, to keep the order.
    this.#headRoom = cut < bytes.length ? 0 : this.#headRoom - cut;
    const rest = bytes.subarray(cut);
    this.#afterHead += rest.length;
    this.#tail.add(rest);
  }

  commit(): void {
    const end = this.#tail.bytes();
    const leftOut = this.#afterHead - end.length;
    if (leftOut > 0) this.#file.write(`\n[guardkit: ${leftOut} bytes omitted]\n`);
    this.#file.write(end.toString('utf8'));
    this.#file.commit();
  }

  discard(): void {
    this.#file.discard();
  }
}

/** The last position up to `limit` where a character starts. */
function characterStart(bytes: Buffer, limit: number): number {
  if (limit >= bytes.length) return bytes.length;
  let start = limit;
  while (start > 0 && isContinuation(bytes[start])) start--;
  return start;
}
