import { createInterface, type Interface } from 'node:readline';
import type { CliContext } from '../program/cli-command.ts';

/** Looked at only when there is something to ask. */
interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
}

/**
 * Asks on a terminal. One reader serves all questions of a command, since what is typed ahead would be lost with the
 * first; and the terminal stays as it is, so that Ctrl+C ends the program and Ctrl+D an answer as everywhere.
 */
export class Questions {
  readonly #terminal: Terminal;
  #reader: Interface | undefined;
  #lines: AsyncIterator<string> | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Empty at the end of the input. */
  async ask(question: string): Promise<string> {
    this.#terminal.stderr.write(question);
    this.#reader ??= createInterface({ input: this.#terminal.stdin, terminal: false });
    this.#lines ??= this.#reader[Symbol.asyncIterator]();
    const { done, value } = await this.#lines.next();
    return done ? '' : value;
  }

  /** The program could not end while something still listened to its input. */
  close(): void {
    this.#reader?.close();
  }
}

/** Whether the person says yes; anything else is no. */
export async function confirm(context: Pick<CliContext, 'ask'>, question: string): Promise<boolean> {
  return /^y/i.test((await context.ask(`${question} [y/N] `)).trim());
}
