import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A wait that lasts longer has failed; the machine may be busy with other tests. */
const WAIT_MS = 60_000;
const POLL_MS = 15;
/** A last line that ends as questions do, with nothing typed after it yet. */
const QUESTION = /[^\n]*[?\]:]\s*$/;
/** Errors show the end of the screen. */
const SHOWN_LINES = 25;

/** Waits until a condition holds, and fails with a description of the current state if it never does. */
export async function until(holds: () => boolean, describe: () => string, limitMs = WAIT_MS): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`Waited ${limitMs} ms in vain: ${describe()}`);
    await pause(POLL_MS);
  }
}

export interface TerminalOptions {
  /** Path of the tmux socket; also names the file that counts prompts. */
  socket: string;
  cwd: string;
  env: Record<string, string>;
  /** Words before `tmux`, for a terminal in a changed environment. */
  prefix?: readonly string[];
}

/** A person's terminal: tmux with a bash in it, where commands are typed key by key and read from the screen. */
export class PersonTerminal {
  readonly #options: TerminalOptions;
  readonly #prompts: string;

  /** Opens the terminal; the shell's prompt counts finished commands and notes their exit codes. */
  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#prompts = `${options.socket}.prompts`;
    const env = {
      ...options.env,
      TERM: 'xterm-256color',
      PS1: '$ ',
      PROMPT_COMMAND: `echo $? >> '${this.#prompts}'`,
    };
    const session = ['new-session', '-d', '-x', '180', '-y', '50', '-c', options.cwd];
    this.#tmux([...session, 'bash --norc --noprofile +H'], env, options.prefix);
  }

  async opened(): Promise<void> {
    await until(
      () => this.#finished().length > 0,
      () => 'the shell shows no prompt',
    );
  }

  /** Types a command line and waits for the next prompt. Returns the exit code. */
  async run(command: string): Promise<number> {
    await this.begin(command);
    return this.prompt(command);
  }

  /** The same for a command that has to succeed. */
  async do(command: string): Promise<void> {
    const code = await this.run(command);
    if (code !== 0) throw new Error(`exit code ${code} of: ${command}\n${this.#lastLines()}`);
  }

  /** Types a command line and does not wait. */
  async begin(command: string): Promise<void> {
    await this.opened();
    this.#awaited = this.#finished().length + 1;
    this.#tmux(['clear-history']);
    this.type(command);
    this.press('Enter');
  }

  #awaited = 1;

  /** Waits for the prompt after the last command. Returns the exit code. */
  async prompt(command = 'the command'): Promise<number> {
    await until(
      () => this.#finished().length >= this.#awaited,
      () => `no prompt after ${command}\n${this.#lastLines()}`,
    );
    return Number(this.#finished()[this.#awaited - 1]);
  }

  /** Runs a command and answers each question that it leaves on the last line of the screen. */
  async answer(command: string, reply: (question: string) => string): Promise<number> {
    await this.begin(command);
    const asked = () => QUESTION.exec(this.screen())?.[0];
    const finished = () => this.#finished().length >= this.#awaited;
    for (;;) {
      await until(
        () => finished() || asked() !== undefined,
        () => `neither a question nor a prompt after ${command}\n${this.#lastLines()}`,
      );
      const question = asked();
      if (finished() || question === undefined) return this.prompt(command);
      this.type(reply(question));
      this.press('Enter');
      await until(
        () => finished() || asked() !== question,
        () => `the answer to "${question}" was not taken\n${this.#lastLines()}`,
      );
    }
  }

  async shows(pattern: RegExp): Promise<void> {
    await until(
      () => pattern.test(this.screen()),
      () => `the screen does not show ${pattern}\n${this.#lastLines()}`,
    );
  }

  type(text: string): void {
    this.#tmux(['send-keys', '-l', text]);
  }

  press(...keys: string[]): void {
    this.#tmux(['send-keys', ...keys]);
  }

  /** Everything the terminal shows, with the lines that have scrolled away. */
  screen(): string {
    return this.#tmux(['capture-pane', '-p', '-J', '-S', '-']).trimEnd();
  }

  close(): void {
    try {
      this.#tmux(['kill-server']);
    } catch {
      // Safe: the server ends by itself with its last shell.
    }
  }

  #lastLines(): string {
    return this.screen().split('\n').slice(-SHOWN_LINES).join('\n');
  }

  #finished(): string[] {
    return existsSync(this.#prompts) ? readFileSync(this.#prompts, 'utf8').trimEnd().split('\n') : [];
  }

  #tmux(args: readonly string[], env = this.#options.env, prefix: readonly string[] = []): string {
    const [program = '', ...words] = [...prefix, 'tmux', '-S', this.#options.socket, '-f', '/dev/null'];
    return execFileSync(program, [...words, ...args], { env, encoding: 'utf8', stdio: 'pipe' });
  }
}
