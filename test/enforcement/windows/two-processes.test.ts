import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { lookAround } from '../../../src/enforcement/windows/open-window.ts';
import { watchTables } from '../../../src/enforcement/windows/watch.ts';
import { readWindows } from '../../../src/enforcement/windows/window.ts';
import { go, startWorker } from '../../store/ledger/ledger-fixture.ts';
import { buildWorker } from '../../support/worker.ts';
import { CONFIG, WatchedCheckout } from './windows-fixture.ts';

let worker: string;

beforeAll(async () => {
  worker = await buildWorker(fileURLToPath(new URL('./act-worker.ts', import.meta.url)));
});

function expectAsBefore(shop: WatchedCheckout): void {
  expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
  expect(readdirSync(shop.path('tasks'))).toEqual(['TASK-1.md']);
  expect(readdirSync(shop.path('.guardkit'))).toEqual(['config.yaml']);
  expect(readWindows(watchTables(shop.place.ledger))).toEqual([]);
  expect(shop.place.ledger.verify(shop.place.project)).toMatchObject({ ok: true });
}

test('agents that act at the same time and change the same files leave them as they were', async () => {
  const shop = new WatchedCheckout();
  lookAround(shop.place);
  const workers = await Promise.all(
    ['A', 'B', 'C'].map((name) => startWorker(worker, [shop.folder, name, '12'])),
  );
  workers.forEach(go);
  const results = await Promise.all(workers.map(({ done }) => done));
  expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    results.map(() => ({ code: 0, stderr: '' })),
  );
  expectAsBefore(shop);
  const sessions = new Set(shop.violations().map(({ session }) => session));
  expect([...sessions].sort()).toEqual(['A', 'B', 'C']);
});

test('a kill -9 at any moment leaves nothing that is taken for a person’s', async () => {
  const shop = new WatchedCheckout();
  lookAround(shop.place);
  for (const [round, delay] of [0, 3, 9, 17, 31, 47].entries()) {
    const running = await startWorker(worker, [shop.folder, `K${round}`, '1000000'], (line, { child }) => {
      if (line === '3') setTimeout(() => child.kill('SIGKILL'), delay);
    });
    go(running);
    expect((await running.done).signal).toBe('SIGKILL');
    lookAround(shop.place);
    expectAsBefore(shop);
    expect(shop.violations().some(({ session }) => session === `K${round}`)).toBe(true);
  }
  // And a person is still a person.
  shop.write('.guardkit/config.yaml', `${CONFIG}# mine\n`);
  expect(lookAround(shop.place).restored).toEqual([]);
  expect(existsSync(shop.path('.guardkit/config.yaml'))).toBe(true);
});
