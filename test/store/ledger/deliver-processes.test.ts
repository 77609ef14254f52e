import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { Ledger } from '../../../src/store/ledger/ledger.ts';
import { deliverOutbox } from '../../../src/store/ledger/outbox/deliver-outbox.ts';
import { buildWorker } from '../../support/worker.ts';
import {
  go,
  PROJECT,
  startWorker,
  summaries,
  temporaryFolder,
  temporaryLedger,
  temporaryStore,
  turn,
} from './ledger-fixture.ts';

let worker: string;

beforeAll(async () => {
  worker = await buildWorker(fileURLToPath(new URL('./deliver-worker.ts', import.meta.url)));
});

const TURNS = 25;
const STATES = ['began', 'built', 'judged'];

/** Every turn is recorded three times, with several turns interleaved. */
function recordTurns(ledger: Ledger): void {
  const numbers = Array.from({ length: TURNS }, (_none, index) => index + 1);
  const bodies = STATES.flatMap((state) => numbers.map((number) => turn(number, state)));
  ledger.appendMany(
    PROJECT,
    bodies.map((body) => ({ kind: 'turn_recorded', body })),
  );
}

async function expectEachOnce(storePath: string): Promise<void> {
  const store = await temporaryStore(storePath);
  for (let number = 1; number <= TURNS; number += 1) {
    expect(await summaries(store, number)).toEqual(STATES);
  }
  expect(await store.counts()).toEqual([
    { group: `${PROJECT}__turn_states`, episodes: TURNS, versions: TURNS * STATES.length },
  ]);
}

test('a kill -9 between the store and the outbox, or at any other moment, duplicates and loses nothing [LEDGER-3]', async () => {
  const ledger = temporaryLedger();
  const storePath = join(temporaryFolder(), 'guardkit.db');
  recordTurns(ledger);
  for (const hangAt of [1, 26, 50]) {
    const running = await startWorker(worker, [ledger.path, storePath, String(hangAt)], (line, { child }) => {
      if (line === `stored ${hangAt}`) child.kill('SIGKILL');
    });
    go(running);
    expect(await running.done).toMatchObject({ signal: 'SIGKILL', stderr: '' });
    expect(ledger.outbox.next(PROJECT)?.number).toBe(hangAt);
  }
  for (const killAfter of [3, 11]) {
    let seen = 0;
    const running = await startWorker(worker, [ledger.path, storePath], (line, { child }) => {
      if (line.startsWith('stored')) seen += 1;
      if (seen === killAfter) child.kill('SIGKILL');
    });
    go(running);
    expect(await running.done).toMatchObject({ stderr: '' });
  }
  const store = await temporaryStore(storePath);
  expect(await deliverOutbox(ledger, store)).toMatchObject({ pending: 0, refused: [] });
  await expectEachOnce(storePath);
});

test('three processes that deliver while a fourth appends deliver each entry once', async () => {
  const ledger = temporaryLedger();
  const storePath = join(temporaryFolder(), 'guardkit.db');
  recordTurns(ledger);
  const paths = [ledger.path, storePath];
  const deliverers = await Promise.all([paths, paths, paths].map((args) => startWorker(worker, args)));
  deliverers.forEach(go);
  for (let number = 1; number <= 20; number += 1) {
    ledger.append('blog', 'turn_recorded', turn(number, 'meanwhile'));
  }
  const results = await Promise.all(deliverers.map(({ done }) => done));
  expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    results.map(() => ({ code: 0, stderr: '' })),
  );
  const stored = results.flatMap(({ stdout }) =>
    stdout.split('\n').filter((line) => line.startsWith('stored')),
  );
  const store = await temporaryStore(storePath);
  const { delivered } = await deliverOutbox(ledger, store);
  expect(stored.length + delivered).toBe(TURNS * STATES.length + 20);
  expect(ledger.outbox.status()).toEqual({ pending: 0, refused: 0 });
  expect(await store.purge('blog__turn_states')).toBe(20);
  await expectEachOnce(storePath);
});
