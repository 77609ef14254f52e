import { createInterface, type Interface } from 'node:readline';
import type { CliContext } from '../program/cli-command.ts';

/** Accessed only when there is a question. */
interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
}

/**
 * Asks on a terminal. One reader serves all questions of a command, so that type-ahead is not lost. The terminal mode is not
 * changed, so Ctrl+C and Ctrl+D work as usual.
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

  /** An open reader would keep the program running. */
  close(): void {
    this.#reader?.close();
  }
}

/** True for a yes; anything else is a no. */
export async function confirm(context: Pick<CliContext, 'ask'>, question: string): Promise<boolean> {
  return /^y/i.test((await context.ask(`${question} [y/N] `)).trim());
}

/** Those of a numbered list that a person chooses: all, some or none. */
export async function chooseSome<Item>(
  context: Pick<CliContext, 'ask'>,
  items: readonly Item[],
  verb: string,
): Promise<Item[]> {
  const choice =
    items.length === 1 ? 'it? [y/N] ' : 'all (a), some (their numbers), or none (n)? [a/1 2…/N] ';
  const answer = (await context.ask(`${verb} ${choice}`)).trim().toLowerCase();
  if (/^(?:a|all|y|yes)$/.test(answer)) return [...items];
  const words = answer.split(/[\s,]+/);
  const chosen = words.flatMap((word) => (/^\d{1,4}$/.test(word) ? (items[Number(word) - 1] ?? []) : []));
  return chosen.length === words.length ? chosen : [];
}
