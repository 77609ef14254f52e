import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { ByteTail, OutputLog, type OutputLogOptions } from './output-log.ts';

export type OutputStream = 'stdout' | 'stderr';

const TAIL_BYTES = 8 * 1024;

/** Collects a program's output in bounded memory. */
export class ProcessOutput {
  readonly #kept: Record<OutputStream, BoundedText>;
  /** One decoder per stream, so that a character split across chunks stays whole. */
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  readonly #tail = new ByteTail(TAIL_BYTES);
  readonly #digest = createHash('sha256');
  readonly #log: OutputLog | undefined;
  #bytes = 0;
  #logFault: Error | undefined;

  constructor(maxBytes: number, log: OutputLogOptions | undefined) {
    this.#kept = { stdout: new BoundedText(maxBytes), stderr: new BoundedText(maxBytes) };
    this.#log = log && new OutputLog(log);
  }

  add(stream: OutputStream, chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#digest.update(chunk);
    this.#kept[stream].add(chunk);
    this.#merge(this.#decoders[stream].write(chunk));
  }

  /** Returns the collected output and commits the log; a failed log throws here, once. */
  finish() {
    this.#merge(this.#decoders.stdout.end());
    this.#merge(this.#decoders.stderr.end());
    this.#toLog(() => this.#log?.commit());
    if (this.#logFault) {
      this.#log?.discard();
      throw this.#logFault;
    }
    const { stdout, stderr } = this.#kept;
    return {
      stdout: stdout.toString(),
      stderr: stderr.toString(),
      truncated: stdout.truncated || stderr.truncated,
      tail: this.#tail.toString(),
      outputBytes: this.#bytes,
      outputDigest: this.#digest.digest('hex'),
    };
  }

  discard(): void {
    this.#log?.discard();
  }

  #merge(text: string): void {
    if (text === '') return;
    const bytes = Buffer.from(text);
    this.#tail.add(bytes);
    this.#toLog(() => this.#log?.add(bytes));
  }

  /** A full disk must not stop reading: the program would hang on a full pipe. */
  #toLog(write: () => void): void {
    if (this.#logFault) return;
    try {
      write();
    } catch (error) {
      this.#logFault = error instanceof Error ? error : new Error(String(error));
    }
  }
}

class BoundedText {
  readonly #chunks: Buffer[] = [];
  #room: number;
  truncated = false;

  constructor(limit: number) {
    this.#room = limit;
  }

  add(chunk: Buffer): void {
    if (chunk.length > this.#room) this.truncated = true;
    if (this.#room === 0) return;
    const kept = chunk.subarray(0, this.#room);
    this.#chunks.push(kept);
    this.#room -= kept.length;
  }

  toString(): string {
    const bytes = Buffer.concat(this.#chunks);
    // Drops a character that the limit cut in half.
    return this.truncated ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
  }
}
