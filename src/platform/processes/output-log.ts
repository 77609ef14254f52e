import { AtomicFile } from '../files/atomic-file.ts';

/** The last bytes of what is added, in a ring of a fixed size. */
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

  /** From the first whole character on. */
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

/** Whether this byte of UTF-8 belongs to a character that began before it. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

export interface OutputLogOptions {
  path: string;
  /** How much of the output is kept; beyond it the middle is left out. */
  maxBytes: number;
}

/** The end tells why something failed and is held in memory until then, so it gets at most this. */
const MAX_TAIL_BYTES = 1024 * 1024;

/** A file of output, readable by its owner only, that keeps the beginning and the end and appears when it is whole. */
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

  /** The bytes are whole characters. */
  add(bytes: Buffer): void {
    const cut = characterStart(bytes, this.#headRoom);
    if (cut > 0) this.#file.write(bytes.toString('utf8', 0, cut));
    // A character that did not fit ends the beginning: what follows it must not come before it.
    this.#headRoom = cut < bytes.length ? 0 : this.#headRoom - cut;
    const rest = bytes.subarray(cut);
    this.#afterHead += rest.length;
    this.#tail.add(rest);
  }

  commit(): void {
    const end = this.#tail.bytes();
    const leftOut = this.#afterHead - end.length;
    if (leftOut > 0) this.#file.write(`\n[guardkit: ${leftOut} bytes are left out here]\n`);
    this.#file.write(end.toString('utf8'));
    this.#file.commit();
  }

  discard(): void {
    this.#file.discard();
  }
}

/** The largest place up to `limit` where a character begins. */
function characterStart(bytes: Buffer, limit: number): number {
  if (limit >= bytes.length) return bytes.length;
  let place = limit;
  while (place > 0 && isContinuation(bytes[place])) place--;
  return place;
}
