import { existsSync, readSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentHooks,
  findAgentHooks,
  HOOKED_AGENTS,
  reportingAgent,
} from '../../enforcement/agents/agent-hooks.ts';
import { findBroker } from '../../enforcement/broker/broker-socket.ts';
import {
  answerHook,
  type HookOutput,
  type HookQuestion,
  REFUSED,
  unreadable,
} from '../../enforcement/hooks/answer-hook.ts';
import { handleEvent } from '../../enforcement/hooks/handle-event.ts';
import type { HookEvent } from '../../enforcement/hooks/hook-event.ts';
import { findHookStarter } from '../../enforcement/hooks/refuse-forged.ts';
import { guardkitHome } from '../../platform/guardkit-home.ts';
import { writeAll } from '../../platform/processes/plain-output.ts';
import type { EventClaim } from '../../store/ledger/claimed-event.ts';
import type { WarmLedgerFile } from '../../store/ledger/open-ledger-file.ts';
import { joinSession, type SessionMemory } from './join-session.ts';

/** Larger than any file an agent writes at once. */
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

const USAGE = `Usage: guardkit hook AGENT
Answers one hook event of a coding agent, read as JSON from standard input.
Agents: ${HOOKED_AGENTS.join(', ')}. \`guardkit init --agent claude\` installs the hooks.
`;

/** The environment of a hook: the process, or a test's substitute. */
export interface HookProgramContext {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Start of the hook in milliseconds since 1970; default: now. */
  startedAt?: number;
  /** The process that started the hook, if the hook has a process of its own. */
  findStarter?(agent: string): number | undefined;
  /** Another process may answer the same event. */
  claim?: EventClaim | undefined;
  /** Keeps the ledger open for the next event (default: closed). */
  warm?: WarmLedgerFile | undefined;
  /** Loads sessions and memory. Omitted: they add nothing to an answer. */
  loadSession?(): Promise<SessionMemory>;
  /** Starts the resident process, if it is not running. Omitted: not started. */
  startBroker?(options?: { wait: boolean }): Promise<void>;
  readInput(): string;
  stdout(text: string): void;
  stderr(text: string): void;
}

/** Answers one event and returns the exit code. Any failure refuses the action if it can be refused. */
export async function runHook(args: readonly string[], context = processContext()): Promise<number> {
  const [asked = '', ...options] = args;
  const name = reportingAgent(asked, context.env);
  const agent = findAgentHooks(name);
  if (!agent) {
    context.stderr(USAGE);
    return args.includes('--help') ? 0 : REFUSED;
  }
  const { exitCode, stdout, stderr } = await answer([name, ...options], agent, context);
  if (stderr !== '') context.stderr(stderr);
  if (stdout !== '') context.stdout(stdout);
  return exitCode;
}

function answer(
  args: readonly string[],
  agent: AgentHooks,
  context: HookProgramContext,
): Promise<HookOutput> {
  const [name = ''] = args;
  const { startedAt, loadSession } = context;
  const env = withoutIgnored(context.env, agent);
  let text: string | undefined;
  const payload = () => {
    text ??= context.readInput();
    return text;
  };
  // The resident process is outside of every sandbox.
  const broker = optionOf(args, DOOR_OPTION) ?? (context.warm ? undefined : findBroker(env));
  if (broker !== undefined)
    return askOutside(broker, name, agent.origin(context).folder, { agent, env, payload });
  return answerHook({
    agent,
    env,
    payload,
    handle: async (event) => {
      const started = needsBroker(event)
        ? context.startBroker?.()
        : args.includes(SERVE_OPTION)
          ? context.startBroker?.({ wait: false })
          : undefined;
      const starter = context.findStarter?.(name);
      try {
        return await handleEvent(event, {
          env,
          ...(startedAt === undefined ? {} : { reportedAt: startedAt }),
          ...agent.origin({ ...context, starter }),
          claim: context.claim ?? claimAfter(args),
          warm: context.warm,
          starter,
          fromCommand: agent.commandMark !== undefined && env[agent.commandMark] !== undefined,
          ...(loadSession
            ? { join: (told, said, work) => joinSession(told, said, work, { env, loadSession }) }
            : {}),
        });
      } finally {
        await started;
      }
    },
  });
}

function withoutIgnored(env: NodeJS.ProcessEnv, { ignores }: AgentHooks): NodeJS.ProcessEnv {
  if (!ignores) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ignores.includes(name)));
}

/** A session may outlive its broker, so a command that runs GuardKit also starts it. */
function needsBroker(event: HookEvent): boolean {
  if (event.type === 'session-began') return true;
  return (
    event.type === 'acting' && event.request.kind === 'command' && event.request.command.includes('guardkit')
  );
}

/** In a sandbox the ledger is read-only, so the GuardKit outside answers. */
async function askOutside(
  broker: string,
  name: string,
  cwd: string,
  question: Omit<HookQuestion, 'handle'>,
): Promise<HookOutput> {
  try {
    const { askBroker } = await import('../../enforcement/broker/ask-broker.ts');
    return await askBroker(broker, { kind: 'hook', agent: name, payload: question.payload(), cwd });
  } catch (error) {
    return answerHook({ ...question, handle: () => Promise.reject(error) });
  }
}

/** The hook's own process. */
export function processContext(): HookProgramContext {
  return {
    env: process.env,
    cwd: process.cwd(),
    // `performance` gives the same value but is slow to load.
    startedAt: Date.now() - process.uptime() * 1000,
    findStarter: (agent) => findHookStarter(agent, guardkitHome(process.env)),
    loadSession: () => import('./session-memory.ts'),
    startBroker: (options) => startBrokerFor(process.env, options),
    readInput,
    stdout: (text) => writeAll(1, text),
    stderr: (text) => {
      try {
        writeAll(2, text);
      } catch {
        // Safe: the exit code still reports it.
      }
    },
  };
}

const EVENT_OPTION = '--event=';
/** The socket of the GuardKit that drives the agent. */
const DOOR_OPTION = '--door=';
/** The launcher found no resident process that answers. */
const SERVE_OPTION = '--serve';

/** The launcher asked the resident process first, which gave no answer. Not by the environment, which an agent may set. */
function claimAfter(args: readonly string[]): EventClaim | undefined {
  const key = optionOf(args, EVENT_OPTION);
  return key === undefined ? undefined : { key, owner: `cold ${process.pid}`, takesOver: true };
}

function optionOf(args: readonly string[], name: string): string | undefined {
  return args.find((arg) => arg.startsWith(name))?.slice(name.length);
}

async function startBrokerFor(env: NodeJS.ProcessEnv, options = { wait: true }): Promise<void> {
  try {
    const dataFolder = guardkitHome(env);
    // Has the launchers of wrapped commands.
    if (!existsSync(join(dataFolder, 'shell'))) return;
    const { startBroker } = await import('../../enforcement/broker/start-broker.ts');
    await startBroker(dataFolder, env, options);
  } catch {
    // Safe: hooks take the cold path, and commands that need the broker report that it is missing.
  }
}

/** Without a stream, which would take a third of the whole answer's time. */
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
      // Non-blocking pipe.
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
