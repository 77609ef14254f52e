import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { ByteTail, OutputLog, type OutputLogOptions } from './output-log.ts';

export type OutputStream = 'stdout' | 'stderr';

const TAIL_BYTES = 8 * 1024;

/** What is kept of a program's output while it comes, in bounded memory however much it prints. */
export class ProcessOutput {
  readonly #kept: Record<OutputStream, BoundedText>;
  /** One a stream: a character whose bytes come in two pieces stays whole though the other stream comes between. */
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

  /** Gives what was kept and lets the log appear; a log that could not be written throws here, once, at the end. */
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

  /** A full disk must not stop the reading: the program would hang on its full pipe. */
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
    // Where the limit cut a character in two, its first half says nothing.
    return this.truncated ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
  }
}
