import { StringDecoder } from 'node:string_decoder';

/** More of a line is not shown, and not kept while it has no end. */
const LONGEST_LINE = 1000;
/** A person reads no faster, and every line is written to a log. */
const LINES_A_SECOND = 10;

/** Tells a program's output line by line while it comes: without empty lines, and of very many only some. */
export class OutputLines {
  readonly #tell: (line: string) => void;
  readonly #now: () => number;
  readonly #decoder = new StringDecoder('utf8');
  #begun = '';
  #second = Number.NEGATIVE_INFINITY;
  #told = 0;
  #untold = 0;

  constructor(tell: (line: string) => void, now: () => number = () => performance.now()) {
    this.#tell = tell;
    this.#now = now;
  }

  add(chunk: Buffer): void {
    const lines = (this.#begun + this.#decoder.write(chunk)).split('\n');
    this.#begun = lines.pop()?.slice(0, LONGEST_LINE) ?? '';
    for (const line of lines) this.#take(line);
  }

  /** What had no line break at its end, and how much was left out. */
  end(): void {
    this.#take(this.#begun);
    this.#begun = '';
    this.#tellOmission();
  }

  #take(line: string): void {
    const text = line.slice(0, LONGEST_LINE).trim();
    if (text === '') return;
    const now = this.#now();
    if (now - this.#second >= 1000) {
      this.#tellOmission();
      this.#second = now;
      this.#told = 0;
    }
    if (this.#told >= LINES_A_SECOND) {
      this.#untold += 1;
      return;
    }
    this.#told += 1;
    this.#tell(text);
  }

  #tellOmission(): void {
    if (this.#untold > 0) this.#tell(`… ${this.#untold} more ${this.#untold === 1 ? 'line' : 'lines'}`);
    this.#untold = 0;
  }
}
