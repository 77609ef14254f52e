import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { GuardKitError } from '../../guardkit-error.ts';
import { PostgresDatabase } from '../postgres/postgres-database.ts';
import { readServerAddress } from '../postgres/server-address.ts';
import { type AppendRequest, appendToChain } from './chain-append.ts';
import { chainError } from './queue-error.ts';

/** What the thread gets: the request, and the flag that the other side waits on. */
export interface ChainCall {
  request: AppendRequest;
  flag: Int32Array;
  /** How long to try while the server is away. */
  patienceMs: number;
}

type Appended =
  | { first: number }
  | { error: { code: string; kind: GuardKitError['kind']; message: string; hint: string } };

/** With the request that it answers. */
export type ChainAnswer = Appended & { batch: string };

/** In a thread of a worker: appends to the shared chain while the program's own thread waits for the answer. */
export function answerChain(port: MessagePort, url: string): void {
  const database = new PostgresDatabase(readServerAddress(url), undefined, 10_000);
  port.on('message', async ({ request, flag, patienceMs }: ChainCall) => {
    const appended = await append(database, request, performance.now() + patienceMs);
    port.postMessage({ ...appended, batch: request.batch } satisfies ChainAnswer);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  });
  port.on('close', () => void database.close());
}

const AWAY: ReadonlySet<string> = new Set([
  'store.unreachable',
  'store.timeout',
  'store.conflict',
  'store.locked',
  'store.too-many-connections',
]);
const TRY_AGAIN_MS = 200;

async function append(database: PostgresDatabase, request: AppendRequest, until: number): Promise<Appended> {
  for (;;) {
    try {
      return { first: await appendToChain(database, request) };
    } catch (caught) {
      const error = chainError(caught, request.claim.feature);
      if (!(error instanceof GuardKitError)) return { error: bug(error) };
      const { code, kind, message, hint } = error;
      if (!AWAY.has(code) || performance.now() > until) return { error: { code, kind, message, hint } };
      await sleep(TRY_AGAIN_MS);
    }
  }
}

function bug(error: unknown): Extract<Appended, { error: unknown }>['error'] {
  const message = `The shared chain refused an entry: ${error instanceof Error ? error.message : String(error)}.`;
  return {
    code: 'queue.append-failed',
    kind: 'outside',
    message,
    hint: 'Check the server’s log, then try again.',
  };
}
