import { statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { DEFAULT_IDLE_MS } from '../../config/project/serve-config.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { tryLock } from '../../platform/processes/process-lock.ts';
import { isInsideAgent } from '../../platform/processes/wrapper-profile.ts';
import { hooksSocket, serverFile } from '../install/hook-client.ts';
import { agentsSocket, brokerFolder } from './broker-socket.ts';
import { frame } from './command-frames.ts';
import { openBroker } from './open-broker.ts';
import { agentCommand, collectOutput, joinStreams, requireSetUp, runForAgent } from './run-for-agent.ts';
import { ownBuild, removeServerRecord, writeServerRecord } from './server-record.ts';
import { wasStoppedSince } from './stop-server.ts';

export interface AgentsBrokerContext {
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** When this process was started, in milliseconds since 1970; it ends if it was stopped since then. */
  startedAt?: number;
  /** Calls `check` regularly until the returned function is called. */
  every(check: () => void): () => void;
  /** Ends the broker early, with its clients. */
  signal: AbortSignal;
  /** Ends the broker after its clients. */
  retiring?: AbortSignal;
  /** Without a client for this long the broker ends (default: half an hour). */
  idleMs?(): number;
  /** Open further services of the same process; the first one answers hooks. */
  open?: readonly ((broker: BrokerAtWork) => Promise<FurtherService>)[];
}

/** The broker, for a further service. */
export interface BrokerAtWork {
  build: string;
  /** Keeps the process alive while work is under way. */
  count<Result>(work: Promise<Result>): Promise<Result>;
  /** Ends the process if its program was replaced. */
  check(): void;
}

/** Ends with the broker. */
export interface FurtherService {
  retire(): void;
  close(): Promise<void>;
}

export type BrokerEnd = 'another-runs' | 'idle' | 'replaced' | 'removed' | 'retired' | 'signal';

/**
 * Serves all wrapped commands of this user's agents, as the only broker of a data folder. Ends when it is idle, its program
 * was replaced, or what it is reached by was removed.
 */
export async function serveAgents(parts: AgentsBrokerContext): Promise<BrokerEnd> {
  const { dataFolder, env, clock, startedAt, signal, retiring, idleMs = () => DEFAULT_IDLE_MS } = parts;
  if (isInsideAgent(env)) throw insideAgent();
  // It may be removed while this process starts, and must not come back.
  const identity = identityOf(dataFolder);
  if (identity === undefined) return 'removed';
  const folder = brokerFolder(dataFolder);
  makeFolder(folder, 0o700);
  const lock = tryLock(join(folder, 'agents.lock'));
  if (!lock) return 'another-runs';
  try {
    const clients = new Clients(clock);
    const build = ownBuild();
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
    const reachedBy = new Map([[broker.socket, stampOf(broker.socket)]]);
    const need = new Need(parts, (): BrokerEnd | undefined => {
      if (signal.aborted) return 'signal';
      if (retiring?.aborted) return 'retired';
      if (identityOf(dataFolder) !== identity) return 'removed';
      if ([...reachedBy].some(([path, stamp]) => stampOf(path) !== stamp)) return 'removed';
      if (ownBuild() !== build) return 'replaced';
      return clients.active === 0 && clock() - clients.lastSeen >= idleMs() ? 'idle' : undefined;
    });
    const { further, noHooks } = await openFurther(parts, {
      build,
      count: (work) => clients.count(work),
      check: () => need.check(),
    });
    try {
      writeServerRecord(dataFolder, { build, noHooks, now: clock() });
      for (const path of [serverFile(dataFolder), hooksSocket(dataFolder)])
        reachedBy.set(path, stampOf(path));
      // From now on `serve --stop` finds it and sends a signal.
      if (startedAt !== undefined && wasStoppedSince(dataFolder, startedAt)) return 'retired';
      return await need.ended();
    } finally {
      broker.retire();
      for (const service of further) service.retire();
      removeServerRecord(dataFolder);
      // A new broker can start now, while this one serves its remaining clients.
      lock.release();
      if (!signal.aborted) await Promise.race([clients.gone(), aborted(signal)]);
      await broker.close();
      await Promise.all(further.map((service) => service.close()));
    }
  } finally {
    lock.release();
  }
}

/** Hooks take the cold path if their service cannot open; without the dashboard's, `guardkit ui` serves it itself. */
async function openFurther(
  { open = [] }: AgentsBrokerContext,
  broker: BrokerAtWork,
): Promise<{ further: FurtherService[]; noHooks: string }> {
  const opened = await Promise.allSettled(open.map((one) => one(broker)));
  const further = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [hooks] = opened;
  if (!hooks) return { further, noHooks: 'not offered' };
  return { further, noHooks: hooks.status === 'fulfilled' ? '' : messageOf(hooks.reason) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the broker is still needed, checked regularly and on demand. */
class Need {
  readonly #find: () => BrokerEnd | undefined;
  readonly #ended: Promise<BrokerEnd>;
  #end: (end: BrokerEnd) => void = () => {};

  constructor({ every, signal, retiring }: AgentsBrokerContext, find: () => BrokerEnd | undefined) {
    this.#find = find;
    const look = () => this.check();
    const signals = [signal, ...(retiring ? [retiring] : [])];
    const stop = every(look);
    for (const one of signals) one.addEventListener('abort', look);
    this.#ended = new Promise<BrokerEnd>((resolve) => {
      this.#end = resolve;
    }).finally(() => {
      stop();
      for (const one of signals) one.removeEventListener('abort', look);
    });
  }

  check(): void {
    const end = this.#find();
    if (end !== undefined) this.#end(end);
  }

  ended(): Promise<BrokerEnd> {
    this.check();
    return this.#ended;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Sends the reason to the client if its command cannot be started. */
function serve(connection: Socket, run: () => Promise<void>): void {
  run().catch((error: unknown) => connection.end(frame('failed', messageOf(error))));
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

/** Of a folder; undefined if it does not exist. */
function identityOf(folder: string): string | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat && `${stat.dev} ${stat.ino}`;
}

function insideAgent(): GuardKitError {
  return new GuardKitError({
    code: 'broker.inside-agent',
    kind: 'refused',
    message: 'The broker cannot run inside an agent’s sandbox.',
    hint: 'The session’s hooks start it outside the sandbox. If it is not running, restart the agent’s session.',
  });
}
