/** Frame types of a command. Input and signals go to the broker, the others come from it. */
export const FRAMES = ['input', 'input-end', 'signal', 'output', 'errors', 'exit', 'failed'] as const;
export type FrameType = (typeof FRAMES)[number];

export interface Frame {
  type: FrameType;
  content: Buffer;
}

const HEAD_BYTES = 5;
/** Larger than any chunk of a stream. */
const MAX_CONTENT = 16 * 1024 * 1024;

export function frame(type: FrameType, content: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(FRAMES.indexOf(type), 0);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Splits a byte stream into frames. `read` throws if the bytes are not frames. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  read(chunk: Buffer): Frame[] {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    while (rest.length >= HEAD_BYTES) {
      const type = FRAMES[rest.readUInt8(0)];
      const length = rest.readUInt32BE(1);
      if (type === undefined || length > MAX_CONTENT) throw new Error('invalid frame');
      if (rest.length < HEAD_BYTES + length) break;
      frames.push({ type, content: rest.subarray(HEAD_BYTES, HEAD_BYTES + length) });
      rest = rest.subarray(HEAD_BYTES + length);
    }
    this.#rest = rest;
    return frames;
  }
}
