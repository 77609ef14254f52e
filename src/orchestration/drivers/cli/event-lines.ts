import { StringDecoder } from 'node:string_decoder';

/** Longer than any event: one may contain the whole output of a command. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** Reads an event stream, one JSON object per line. Lines that are not objects are for people. */
export class EventLines {
  readonly #take: (event: unknown) => void;
  readonly #broken: (why: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #begun: string[] = [];
  #length = 0;

  constructor(take: (event: unknown) => void, broken: (why: string) => void) {
    this.#take = take;
    this.#broken = broken;
  }

  add(chunk: Buffer): void {
    const lines = this.#decoder.write(chunk).split('\n');
    for (const [index, part] of lines.entries()) {
      if (index > 0) this.end();
      this.#length += part.length;
      if (this.#length > MAX_CHARACTERS) {
        this.#broken('an event is longer than 64 MB');
        return;
      }
      this.#begun.push(part);
    }
  }

  /** Also the last line, which may have no line break. */
  end(): void {
    const line = this.#begun.join('').trim();
    this.#begun = [];
    this.#length = 0;
    if (!line.startsWith('{')) return;
    let event: unknown;
    try {
      event = JSON.parse(line);
    } catch {
      // It may be a tool call.
      this.#broken('an event is not valid JSON');
      return;
    }
    this.#take(event);
  }
}
