import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import type { EpisodeInput } from '../../../src/domain/entities/episode.ts';
import { GuardKitError } from '../../../src/guardkit-error.ts';
import type { EpisodeStore } from '../../../src/store/episode-store.ts';
import { defineEntryKind, entryKindRegistry } from '../../../src/store/ledger/chain/entry-kind.ts';
import { ENTRY_KINDS } from '../../../src/store/ledger/chain/entry-kinds.ts';
import type { Ledger } from '../../../src/store/ledger/ledger.ts';
import { type OpenLedgerOptions, openLedger } from '../../../src/store/ledger/open-ledger.ts';
import type { DeliveryTarget } from '../../../src/store/ledger/outbox/deliver-outbox.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { type RunningWorker, runWorker } from '../../support/worker.ts';

export const PROJECT = 'shop-4f2a';

/** A kind that stays in the ledger. */
export const remark = defineEntryKind({
  kind: 'remark',
  schema: z.strictObject({ text: z.string().max(100), author: z.string().default('someone') }),
  freeText: ['text'],
});

export const TEST_KINDS = entryKindRegistry([...ENTRY_KINDS, remark]);

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function temporaryLedger(options: Partial<OpenLedgerOptions> = {}): Ledger {
  const ledger = openLedger({ path: join(temporaryFolder(), 'ledger.db'), kinds: TEST_KINDS, ...options });
  onTestFinished(() => ledger.close());
  return ledger;
}

export async function temporaryStore(path = join(temporaryFolder(), 'guardkit.db')): Promise<EpisodeStore> {
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  return store;
}

/** The n-th turn of one task; the summary distinguishes versions of a turn. */
export function turn(number: number, summary = ''): Record<string, unknown> {
  return {
    feature_id: 'FEAT-1',
    task_id: 'TASK-1',
    turn_number: number,
    mode: 'continuing_work',
    player_summary: summary,
  };
}

export function turnId(number: number): string {
  return `TURN-FEAT-1-TASK-1-T${number}`;
}

export async function summaries(
  store: EpisodeStore,
  turnNumber: number,
  project = PROJECT,
): Promise<unknown[]> {
  const versions = await store.history(`${project}__turn_states`, turnId(turnNumber));
  return versions.map((version) => version.body.player_summary);
}

export function away(message = 'The server does not answer.'): GuardKitError {
  return new GuardKitError({ code: 'store.unreachable', kind: 'outside', message, hint: 'Try again later.' });
}

/** A real store that can be made to fail; `numbers` lists the calls it received. */
export function intercepted(
  store: DeliveryTarget,
  intercept: (
    number: number,
    forward: () => Promise<Answer>,
    episodes: readonly EpisodeInput[],
  ) => Promise<Answer>,
): DeliveryTarget & { numbers: number[] } {
  const numbers: number[] = [];
  return {
    numbers,
    upsertMany: (episodes, options) => {
      const number = options?.once?.number ?? 0;
      numbers.push(number);
      return intercept(number, () => store.upsertMany(episodes, options), episodes);
    },
  };
}

export type Answer = Awaited<ReturnType<DeliveryTarget['upsertMany']>>;

export interface Gate {
  opened: Promise<void>;
  open: () => void;
}

export function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Starts a worker and waits until it is ready; `onLine` receives what it prints afterwards. */
export function startWorker(
  worker: string,
  args: readonly string[],
  onLine?: (line: string, running: RunningWorker) => void,
): Promise<RunningWorker> {
  return new Promise((resolve) => {
    const running = runWorker(worker, args, {
      onLine: (line) => (line === 'ready' ? resolve(running) : onLine?.(line, running)),
    });
    // A worker that ends before it is ready shows in its result instead of hanging the test.
    void running.done.then(() => resolve(running));
  });
}

export function go({ child }: RunningWorker): void {
  child.stdin?.write('go\n');
}
