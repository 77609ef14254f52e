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
export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
