import { oneLine } from './printable.ts';

/** A terminal, or anything else that text is written to. */
export type ProgressOutput = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

const DEFAULT_WIDTH = 80;
/** Moves to the start of the line and clears it. */
const CLEAR = '\r\u001b[2K';

/** Accessed only when there is something to show. */
interface LiveLineContext {
  readonly stderr: ProgressOutput;
  readonly env: NodeJS.ProcessEnv;
}

/** The last line of a terminal, overwritten with current progress; other lines appear above it. */
export class LiveLine {
  readonly #context: LiveLineContext;
  #text = '';

  constructor(context: LiveLineContext) {
    this.#context = context;
  }

  get #output(): ProgressOutput {
    return this.#context.stderr;
  }

  get #isLive(): boolean {
    return this.#output.isTTY === true && this.#context.env.TERM !== 'dumb';
  }

  /** Shows nothing where the line could not be erased. */
  show(text: string): void {
    if (!this.#isLive) return;
    // A full-width line would wrap.
    this.#text = oneLine(text, (this.#output.columns || DEFAULT_WIDTH) - 1);
    this.#output.write(`${CLEAR}${this.#text}`);
  }

  /** Lines that stay. */
  print(lines: string): void {
    this.#output.write(this.#text === '' ? `${lines}\n` : `${CLEAR}${lines}\n${this.#text}`);
  }

  end(): void {
    if (this.#text !== '') this.#output.write(CLEAR);
    this.#text = '';
  }
}
