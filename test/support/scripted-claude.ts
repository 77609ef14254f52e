import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeProgram, use } from '../orchestration/drivers/driver-benches.ts';
import { type MessagesServer, type Reply, startMessagesServer } from './messages-server.ts';
import { until } from './person-terminal.ts';

/** A tool call or an answer; or something that happens while the model is thinking and no tool runs. */
export type Step = Reply | (() => Promise<void>);

export const DONE: Reply = { content: [{ type: 'text', text: 'All done.' }] };
export const bash = (command: string, more: Record<string, unknown> = {}) =>
  use('Bash', { command, ...more });

/** Places in an agent's commands where the agent waits for the test. */
export class Points {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** The shell text that waits at a point. It ends when the folder of the points is removed. */
  wait(name: string): string {
    const [at, go] = [join(this.#folder, `${name}.at`), join(this.#folder, `${name}.go`)];
    return `: > ${at}; while [ -d ${this.#folder} ] && [ ! -e ${go} ]; do sleep 0.02; done`;
  }

  /** The shell text that reports a point and goes on. */
  pass(name: string): string {
    return `: > ${join(this.#folder, `${name}.at`)}`;
  }

  async reached(name: string, describe: () => string = () => ''): Promise<void> {
    await until(
      () => existsSync(join(this.#folder, `${name}.at`)),
      () => `the agent does not reach "${name}". ${describe()}`,
    );
  }

  release(name: string): void {
    writeFileSync(join(this.#folder, `${name}.go`), '');
  }
}

export interface ClaudeOptions {
  cwd: string;
  home: string;
  env: Record<string, string>;
  points: Points;
  /** Words before the program, for one in a changed environment. */
  prefix: readonly string[];
  /** Registers a clean-up for the end. */
  finished: (end: () => void) => void;
}

interface HookAnswer {
  systemMessage?: string;
}

export interface HookAnswers {
  agent: string;
  person: string;
}

/** One session of the real Claude Code, whose model follows a script. */
export class ScriptedClaude {
  readonly server: MessagesServer;
  /** Fails if something failed that happened while the model was thinking. */
  readonly ended: Promise<void>;
  readonly #points: Points;
  #output = '';

  private constructor(server: ScriptServer, child: ChildProcess, points: Points) {
    this.server = server;
    this.#points = points;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    const limit = setTimeout(() => endGroup(child), SESSION_LIMIT_MS);
    this.ended = new Promise((resolve, reject) =>
      child.once('close', (_code, signal) => {
        clearTimeout(limit);
        const failure =
          server.failure ?? (signal && new Error(`ended by ${signal}: ${this.#output.slice(-3000)}`));
        if (failure) reject(failure);
        else resolve();
      }),
    );
    // Whoever waits for the end gets the failure; a test that failed before does not.
    this.ended.catch(() => {});
  }

  /** Starts it with one prompt; it ends with the script. */
  static async start(steps: readonly Step[], options: ClaudeOptions): Promise<ScriptedClaude> {
    const server = await startScript(steps, options.finished);
    const words = [...options.prefix, String(claudeProgram()), '-p', 'Go on', ...CLAUDE_WORDS];
    const [program = '', ...args] = words;
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...server.env(options.home), ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const claude = new ScriptedClaude(server, child, options.points);
    options.finished(() => endGroup(child));
    return claude;
  }

  async reached(point: string): Promise<void> {
    await this.#points.reached(point, () => this.#output.slice(-3000));
  }

  /** Lets the agent go on from a point, and waits for the end of the session. */
  async finish(...points: string[]): Promise<void> {
    for (const point of points) this.#points.release(point);
    await this.ended;
  }

  /** Everything the model was told. */
  told(): string {
    return toldBy(this.server);
  }

  /** All answers of GuardKit's hooks: what the agent was told, and what the person was shown. */
  answers(): HookAnswers {
    const events = this.#output
      .split('\n')
      .filter((line) => line.includes('"hook_response"'))
      .map((line) => JSON.parse(line) as { output: string });
    const answers = events
      .filter(({ output }) => output.trimStart().startsWith('{'))
      .map(({ output }) => JSON.parse(output) as HookAnswer);
    return {
      agent: answers.map(({ systemMessage: _, ...rest }) => JSON.stringify(rest)).join('\n'),
      person: answers.map(({ systemMessage = '' }) => systemMessage).join('\n'),
    };
  }

  /** Everything the program printed. */
  get output(): string {
    return this.#output;
  }
}

/** A session that takes longer hangs. */
const SESSION_LIMIT_MS = 400_000;

function endGroup(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null && child.pid) process.kill(-child.pid, 'SIGKILL');
}

const CLAUDE_WORDS = [
  ...['--output-format', 'stream-json', '--verbose', '--include-hook-events'],
  ...['--allowedTools', 'Bash,Write,Edit,Read,Agent', '--permission-mode', 'acceptEdits'],
];

export function toldBy({ requests }: MessagesServer): string {
  return JSON.stringify(requests.map(({ system, messages }) => [system, messages]));
}

interface ScriptServer extends MessagesServer {
  /** The error of a step that failed while the model was thinking; the session ends then. */
  readonly failure: unknown;
}

/** A model that follows the steps. Requests without tools, as for the title of a session, get a short answer. */
export async function startScript(
  steps: readonly Step[],
  finished: (end: () => void) => void,
): Promise<ScriptServer> {
  const replies = steps.filter((step) => typeof step !== 'function');
  const thoughts = new Map<number, (() => Promise<void>)[]>();
  let before = 0;
  for (const step of steps)
    if (typeof step === 'function') thoughts.set(before, [...(thoughts.get(before) ?? []), step]);
    else before += 1;
  let failure: unknown;
  const server = await startMessagesServer(async ({ messages, tools }) => {
    const answered = messages.filter(({ role }) => role === 'assistant').length;
    if (tools.length === 0 || failure !== undefined) return DONE;
    const thinking = thoughts.get(answered) ?? [];
    thoughts.delete(answered);
    try {
      for (const think of thinking) await think();
    } catch (error) {
      failure = error;
      return DONE;
    }
    return replies[answered] ?? DONE;
  }, finished);
  return {
    ...server,
    get failure() {
      return failure;
    },
  };
}
