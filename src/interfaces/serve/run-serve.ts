import { DEFAULT_IDLE_MS } from '../../config/project/serve-config.ts';
import {
  type BrokerAtWork,
  type BrokerEnd,
  type FurtherService,
  serveAgents,
} from '../../enforcement/broker/serve-agents.ts';
import { DRAIN_MS, RETIRE_SIGNAL } from '../../enforcement/broker/stop-server.ts';
import { whyNoClient } from '../../enforcement/install/hook-client.ts';
import { systemClock } from '../../platform/clock.ts';
import { essentialEnvironment } from '../../platform/processes/command-environment.ts';
import { ENDING_SIGNALS } from '../../platform/processes/end-processes.ts';

const CHECK_MS = 5000;

export interface ServeContext {
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  /** Of the folder that it was started in, in milliseconds. */
  idleMs?: number | undefined;
  /** Omitted: no dashboard. */
  openDashboard?(broker: BrokerAtWork & { dataFolder: string }): Promise<FurtherService>;
}

/**
 * The resident process, until nobody needs it: answers hooks, runs GuardKit's commands for wrapped agents, and serves the
 * dashboard.
 */
export async function runServe({ dataFolder, env, idleMs, openDashboard }: ServeContext): Promise<BrokerEnd> {
  const ending = new AbortController();
  const retiring = new AbortController();
  const end = () => {
    if (retiring.signal.aborted) return ending.abort();
    retiring.abort();
    setTimeout(() => ending.abort(), DRAIN_MS).unref();
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  process.on(RETIRE_SIGNAL, () => retiring.abort());
  const idle = new IdleTimes(idleMs);
  return serveAgents({
    dataFolder,
    open: [
      async (broker) => {
        const why = whyNoClient();
        if (why !== undefined) throw new Error(why);
        const { serveHooks } = await import('./serve-hooks.ts');
        return serveHooks({ ...broker, dataFolder, noteIdle: (checkout, ms) => idle.note(checkout, ms) });
      },
      ...(openDashboard ? [(broker: BrokerAtWork) => openDashboard({ ...broker, dataFolder })] : []),
    ],
    env: essentialEnvironment(env),
    idleMs: () => idle.longest(),
    clock: systemClock,
    startedAt: systemClock() - process.uptime() * 1000,
    every: (check) => {
      const timer = setInterval(check, CHECK_MS);
      return () => clearInterval(timer);
    },
    signal: ending.signal,
    retiring: retiring.signal,
  });
}

/** Each project may have its own; the longest applies. */
class IdleTimes {
  readonly #own: number | undefined;
  readonly #known = new Map<string, number>();

  constructor(own: number | undefined) {
    this.#own = own;
  }

  note(checkout: string, idleMs: number): void {
    this.#known.set(checkout, idleMs);
  }

  longest(): number {
    const known = [...this.#known.values(), ...(this.#own === undefined ? [] : [this.#own])];
    return known.length === 0 ? DEFAULT_IDLE_MS : Math.max(...known);
  }
}
