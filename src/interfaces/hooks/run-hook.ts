import { existsSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentHooks, findAgentHooks, HOOKED_AGENTS } from '../../enforcement/agents/agent-hooks.ts';
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
import { joinSession, type SessionParts } from './join-session.ts';

/** Larger than any file an agent writes in one go. */
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

const USAGE = `Usage: guardkit hook AGENT
Answers one event of a coding agent's hooks; the event comes on standard input as JSON.
Agents: ${HOOKED_AGENTS.join(', ')}. \`guardkit init --agent claude\` wires it.
`;

/** Where a hook is run: the process, or what a test puts in its place. */
export interface HookProgramContext {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** When the hook was started, in milliseconds since 1970; now, where it has no process of its own. */
  startedAt?: number;
  /** The process that had the hook run, where the hook has a process of its own. */
  findStarter?(agent: string): number | undefined;
  /** Loads what hooks need only sometimes. Left out, sessions and memory add nothing to an answer. */
  loadSession?(): Promise<SessionParts>;
  /** Starts the broker for wrapped commands, if it is not running. Left out, nobody does. */
  startBroker?(): Promise<void>;
  readInput(): string;
  stdout(text: string): void;
  stderr(text: string): void;
}

/** Answers one event and gives the exit code. Whatever goes wrong on the way refuses what can be refused. */
export async function runHook(args: readonly string[], world = processWorld()): Promise<number> {
  const [name = ''] = args;
  const agent = findAgentHooks(name);
  if (!agent) {
    world.stderr(USAGE);
    return args.includes('--help') ? 0 : REFUSED;
  }
  const { exitCode, stdout, stderr } = await answer(name, agent, world);
  if (stderr !== '') world.stderr(stderr);
  if (stdout !== '') world.stdout(stdout);
  return exitCode;
}

function answer(name: string, agent: AgentHooks, world: HookProgramContext): Promise<HookOutput> {
  const { env, startedAt, loadSession } = world;
  let text: string | undefined;
  const payload = () => {
    text ??= world.readInput();
    return text;
  };
  const broker = findBroker(env);
  if (broker !== undefined)
    return askOutside(broker, name, agent.origin(world).folder, { agent, env, payload });
  return answerHook({
    agent,
    env,
    payload,
    handle: async (event) => {
      const started = needsBroker(event) ? world.startBroker?.() : undefined;
      try {
        return await handleEvent(event, {
          env,
          ...(startedAt === undefined ? {} : { reportedAt: startedAt }),
          ...agent.origin(world),
          starter: world.findStarter?.(name),
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

/** A session may outlive its broker: a command that runs GuardKit finds it again. */
function needsBroker(event: HookEvent): boolean {
  if (event.type === 'session-began') return true;
  return (
    event.type === 'acting' && event.request.kind === 'command' && event.request.command.includes('guardkit')
  );
}

/** In a sandbox the ledger cannot be written, and the GuardKit outside answers. */
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

/** The process that a hook has for itself. */
export function processWorld(): HookProgramContext {
  return {
    env: process.env,
    cwd: process.cwd(),
    // `performance` would say the same, and take as long to load as all that is read here.
    startedAt: Date.now() - process.uptime() * 1000,
    findStarter: (agent) => findHookStarter(agent, guardkitHome(process.env)),
    loadSession: () => import('./session-parts.ts'),
    startBroker: () => startBrokerFor(process.env),
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

async function startBrokerFor(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    const dataFolder = guardkitHome(env);
    // Where the launchers of wrapped commands are.
    if (!existsSync(join(dataFolder, 'shell'))) return;
    const { startBroker } = await import('../../enforcement/broker/start-broker.ts');
    await startBroker(dataFolder, env);
  } catch {
    // Safe: whoever needs the broker reports that it is missing.
  }
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
