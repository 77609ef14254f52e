import { readSync, writeSync } from 'node:fs';
import { claudeCanBeStopped, readClaudeEvent, writeClaudeAnswer } from '../../enforcement/agents/claude.ts';
import { handleEvent } from '../../enforcement/handle-event.ts';
import type { HookAnswer, HookEvent } from '../../enforcement/hook-event.ts';
import { GuardKitError } from '../../guardkit-error.ts';

/** What an agent's hook speaks: how its events are read, answered, and which of them can be kept from happening. */
interface AgentHooks {
  read(payload: unknown, env: NodeJS.ProcessEnv): HookEvent | undefined;
  write(event: HookEvent, answer: HookAnswer): Record<string, unknown>;
  /** Where the agent was started, and its own process. */
  whence(world: HookWorld): { folder: string; agentPid: number | undefined };
  eventName(payload: unknown): string | undefined;
  canBeStopped(eventName: string): boolean;
}

const AGENTS: Readonly<Record<string, AgentHooks>> = {
  claude: {
    read: readClaudeEvent,
    write: writeClaudeAnswer,
    whence: ({ env, cwd }) => ({
      folder: env.CLAUDE_PROJECT_DIR ?? cwd,
      agentPid: wholeNumber(env.CLAUDE_PID),
    }),
    eventName: (payload) => textAt(payload, 'hook_event_name'),
    canBeStopped: claudeCanBeStopped,
  },
};

/** Larger than any file an agent writes in one go. */
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

const USAGE = `Usage: guardkit hook AGENT
Answers one event of a coding agent's hooks; the event comes on standard input as JSON.
Agents: ${Object.keys(AGENTS).join(', ')}. \`guardkit init --agent claude\` wires it.
`;

/** Where a hook is run: the process, or what a test puts in its place. */
export interface HookWorld {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** When the hook was started, in milliseconds since 1970; now, where it has no process of its own. */
  startedAt?: number;
  readInput(): string;
  stdout(text: string): void;
  stderr(text: string): void;
}

/** Exit code 2 with the reason on standard error is what every agent takes as a refusal. */
const REFUSED = 2;

/** Answers one event and gives the exit code. Whatever goes wrong on the way refuses what can be refused. */
export async function runHook(args: readonly string[], world = processWorld()): Promise<number> {
  const agent = Object.hasOwn(AGENTS, args[0] ?? '') ? AGENTS[args[0] ?? ''] : undefined;
  if (!agent) {
    world.stderr(USAGE);
    return args.includes('--help') ? 0 : REFUSED;
  }
  let eventName: string | undefined;
  try {
    const payload: unknown = JSON.parse(world.readInput());
    eventName = agent.eventName(payload);
    const event = agent.read(payload, world.env);
    if (!event) throw unreadable(`it is no event of ${args[0]}`);
    const answer = await handleEvent(event, {
      env: world.env,
      ...(world.startedAt === undefined ? {} : { toldAt: world.startedAt }),
      ...agent.whence(world),
    });
    const json = agent.write(event, answer);
    if (Object.keys(json).length > 0) world.stdout(`${JSON.stringify(json)}\n`);
    return 0;
  } catch (error) {
    const said = describe(error instanceof SyntaxError ? unreadable('it is no JSON') : error);
    world.stderr(`${said}\n`);
    // An event that nobody can name may be one that could be stopped.
    if (eventName === undefined || agent.canBeStopped(eventName)) return REFUSED;
    world.stdout(`${JSON.stringify({ systemMessage: said })}\n`);
    return 0;
  }
}

function describe(error: unknown): string {
  const known = error instanceof GuardKitError;
  const message = error instanceof Error ? error.message : String(error);
  const hint = known
    ? error.hint
    : 'Run `guardkit doctor` in a terminal of your own; it says what is broken.';
  return `GuardKit could not judge this, so it is refused: ${message}\n${hint}`;
}

function unreadable(why: string): GuardKitError {
  return new GuardKitError({
    code: 'hook.unreadable-payload',
    kind: 'input',
    message: `What the agent sent to the hook cannot be read: ${why}.`,
    hint: 'The agent’s version may be newer than this guardkit: upgrade it, then run `guardkit doctor`.',
  });
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function textAt(value: unknown, key: string): string | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : undefined;
}

function processWorld(): HookWorld {
  return {
    env: process.env,
    cwd: process.cwd(),
    startedAt: performance.timeOrigin,
    readInput,
    stdout: (text) => writeAll(1, text),
    stderr: (text) => {
      try {
        writeAll(2, text);
      } catch {
        // Safe: the exit code still says it.
      }
    },
  };
}

/** By itself rather than through a stream, which would cost a third of the time of the whole answer. */
function readInput(): string {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const length = readSome(chunk);
    if (length === 0) return Buffer.concat(chunks).toString('utf8');
    total += length;
    if (total > MAX_PAYLOAD_BYTES) throw unreadable('it is larger than 64 MB');
    chunks.push(chunk.subarray(0, length));
  }
}

function readSome(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk, 0, chunk.length, null);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EOF') return 0;
      // A pipe that whoever made it does not wait on.
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function writeAll(descriptor: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
