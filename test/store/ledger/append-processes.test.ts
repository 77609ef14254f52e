import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { runs, THOROUGH } from '../../support/thorough.ts';
import { buildWorker } from '../../support/worker.ts';
import { go, PROJECT, startWorker, temporaryFolder, temporaryLedger } from './ledger-fixture.ts';

let worker: string;

beforeAll(async () => {
  worker = await buildWorker(fileURLToPath(new URL('./append-worker.ts', import.meta.url)));
});

/** Starts appenders that all wait until the last one is ready, and returns what was acknowledged to them. */
async function appendAtOnce(argsOfEach: readonly string[][]): Promise<string[]> {
  const workers = await Promise.all(argsOfEach.map((args) => startWorker(worker, args)));
  workers.forEach(go);
  const results = await Promise.all(workers.map(({ done }) => done));
  expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    results.map(() => ({ code: 0, stderr: '' })),
  );
  return results.flatMap(({ stdout }) => stdout.split('\n'));
}

function numbersOf(project: string, acknowledged: readonly string[]): number[] {
  return acknowledged
    .flatMap((line) => (line.startsWith(`${project} `) ? [Number(line.slice(project.length + 1))] : []))
    .sort((one, two) => one - two);
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_none, index) => index + 1);
}

describe('many processes at once', () => {
  test('eight that append to one project make one chain without a gap [LEDGER-1]', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    const each = runs(250);
    const acknowledged = await appendAtOnce(upTo(8).map(() => [path, String(each), PROJECT]));

    const ledger = temporaryLedger({ path });
    expect(numbersOf(PROJECT, acknowledged)).toEqual(upTo(8 * each));
    expect(ledger.verify(PROJECT)).toEqual({ ok: true, entries: 8 * each });
    expect(ledger.outbox.status().pending).toBe(8 * each);
    const writers = new Map<unknown, unknown[]>();
    for (const { body } of ledger.entries(PROJECT)) {
      writers.set(body.feature_id, [...(writers.get(body.feature_id) ?? []), body.turn_number]);
    }
    expect([...writers.values()]).toEqual(upTo(8).map(() => upTo(each)));
  });

  test.runIf(THOROUGH)('those that append to several projects make one chain for each', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    const projects = ['alpha', 'beta', 'gamma'];
    const acknowledged = await appendAtOnce(
      upTo(4).map((index) => [path, '20', ...projects.slice(index % 2)]),
    );

    const ledger = temporaryLedger({ path });
    const expected = { alpha: 40, beta: 80, gamma: 80 };
    expect(ledger.projects()).toEqual(projects);
    for (const [project, entries] of Object.entries(expected)) {
      expect(numbersOf(project, acknowledged)).toEqual(upTo(entries));
      expect(ledger.verify(project)).toEqual({ ok: true, entries });
    }
  });
});

test('a kill -9 at any moment loses no acknowledged entry and leaves an intact chain [LEDGER-1]', async () => {
  const path = join(temporaryFolder(), 'ledger.db');
  let acknowledgedBefore = 0;
  for (const killAfter of [1, 2, 3, 8, 21, 34]) {
    let seen = 0;
    const running = await startWorker(worker, [path, '1000000', PROJECT], (_line, { child }) => {
      seen += 1;
      if (seen === killAfter) child.kill('SIGKILL');
    });
    go(running);
    const { signal, stdout } = await running.done;
    expect(signal).toBe('SIGKILL');

    const ledger = openLedger({ path });
    // The kill may have cut off the last line, which then does not count.
    const acknowledged = numbersOf(PROJECT, stdout.split('\n').slice(0, -1));
    const last = ledger.head(PROJECT)?.number ?? 0;
    expect(acknowledged).toEqual(upTo(acknowledged.length).map((number) => acknowledgedBefore + number));
    expect(last).toBeGreaterThanOrEqual(acknowledgedBefore + acknowledged.length);
    expect(ledger.verify(PROJECT)).toEqual({ ok: true, entries: last });
    expect(ledger.outbox.status().pending).toBe(last);
    acknowledgedBefore = last;
    ledger.close();
  }
});
