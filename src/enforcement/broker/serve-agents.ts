import { mkdirSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { tryLock } from '../../platform/processes/process-lock.ts';
import { isInsideAgent } from '../../platform/processes/wrapper-profile.ts';
import { programFile } from '../install/own-package.ts';
import { agentsSocket, brokerFolder } from './broker-socket.ts';
import { frame } from './command-frames.ts';
import { openBroker } from './open-broker.ts';
import { agentCommand, collectOutput, joinStreams, requireSetUp, runForAgent } from './run-for-agent.ts';

export interface AgentsBrokerContext {
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** Calls `check` regularly until the returned function is called. */
  every(check: () => void): () => void;
  /** Ends the broker early. */
  signal: AbortSignal;
  /** Opens a further service of the same process; `count` keeps the process alive while work is under way. */
  open?(count: <Result>(work: Promise<Result>) => Promise<Result>): Promise<FurtherService>;
}

/** Ends with the broker. */
export interface FurtherService {
  retire(): void;
  close(): Promise<void>;
}

export type BrokerEnd = 'another-runs' | 'idle' | 'replaced' | 'removed' | 'signal';

/** Without a client for this long the broker ends; the next session starts a new one. */
export const IDLE_MS = 30 * 60_000;

/**
 * Serves all wrapped commands of this user's agents, as the only broker of a data folder. Ends when it is idle, its program
 * was replaced, or its socket was removed.
 */
export async function serveAgents(parts: AgentsBrokerContext): Promise<BrokerEnd> {
  const { dataFolder, env, clock, signal } = parts;
  if (isInsideAgent(env)) throw insideAgent();
  const folder = brokerFolder(dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = tryLock(join(folder, 'agents.lock'));
  if (!lock) return 'another-runs';
  try {
    const clients = new Clients(clock);
    const program = stampOf(programFile());
    const start = (args: readonly string[], cwd: string) => agentCommand({ dataFolder, env }, args, cwd);
    const broker = await openBroker({
      dataFolder,
      file: agentsSocket(dataFolder),
      answer: ({ agent, payload, cwd = dataFolder }) =>
        clients.count(collectOutput(start(['hook', agent], cwd), payload)),
      serveTools: (connection, { cwd = dataFolder, role }) => {
        const args = ['mcp', ...(role === undefined ? [] : ['--role', role])];
        serve(connection, async () => {
          requireSetUp({ dataFolder }, cwd);
          await clients.count(joinStreams(connection, start(args, cwd)));
        });
      },
      runCommand: (connection, { args, cwd }) =>
        serve(connection, async () => {
          requireSetUp({ dataFolder }, cwd);
          await clients.count(runForAgent(connection, start(args, cwd)));
        }),
    });
    const socket = stampOf(broker.socket);
    const further = await parts.open?.((work) => clients.count(work));
    try {
      return await untilUnneeded(parts, (): BrokerEnd | undefined => {
        if (signal.aborted) return 'signal';
        if (stampOf(broker.socket) !== socket) return 'removed';
        if (stampOf(programFile()) !== program) return 'replaced';
        return clients.active === 0 && clock() - clients.lastSeen >= IDLE_MS ? 'idle' : undefined;
      });
    } finally {
      broker.retire();
      further?.retire();
      // A new broker can start now, while this one serves its remaining clients.
      lock.release();
      if (!signal.aborted) await Promise.race([clients.gone(), aborted(signal)]);
      await broker.close();
      await further?.close();
    }
  } finally {
    lock.release();
  }
}

function untilUnneeded(
  { every, signal }: AgentsBrokerContext,
  check: () => BrokerEnd | undefined,
): Promise<BrokerEnd> {
  return new Promise((resolve) => {
    const look = () => {
      const end = check();
      if (end === undefined) return;
      stop();
      signal.removeEventListener('abort', look);
      resolve(end);
    };
    const stop = every(look);
    signal.addEventListener('abort', look);
    look();
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Sends the reason to the client if its command cannot be started. */
function serve(connection: Socket, run: () => Promise<void>): void {
  run().catch((error: unknown) =>
    connection.end(frame('failed', error instanceof Error ? error.message : String(error))),
  );
}

class Clients {
  readonly #clock: Clock;
  active = 0;
  lastSeen: number;
  #whenGone: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.lastSeen = clock();
  }

  async count<Result>(work: Promise<Result>): Promise<Result> {
    this.active += 1;
    try {
      return await work;
    } finally {
      this.active -= 1;
      this.lastSeen = this.#clock();
      if (this.active === 0) this.#whenGone?.();
    }
  }

  /** Resolves when no client is left. */
  gone(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenGone = resolve;
      if (this.active === 0) resolve();
    });
  }
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : '';
}

function insideAgent(): GuardKitError {
  return new GuardKitError({
    code: 'broker.inside-agent',
    kind: 'refused',
    message: 'The broker cannot run inside the agent.',
    hint: 'The session’s hooks start it outside. If it is not running, restart the agent’s session.',
  });
}
