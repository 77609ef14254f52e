import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { reconcileFeatureList } from '../../../src/enforcement/feature-list/reconcile-feature-list.ts';
import { differingFeatures, readFeatures } from '../../../src/store/ledger/tables/feature-table.ts';
import { go, startWorker } from '../../store/ledger/ledger-fixture.ts';
import { buildWorker } from '../../support/worker.ts';
import { ListedProject, PERSON, PROJECT } from './list-fixture.ts';

it('four processes that change one list lose nothing and record no violation [LEDGER-1]', async () => {
  const worker = await buildWorker(fileURLToPath(new URL('./list-worker.ts', import.meta.url)));
  const project = new ListedProject();
  const ids = ['F1', 'F2', 'F3', 'F4'];
  project.write({ features: ids.map((id) => ({ id })) });
  reconcileFeatureList(project.context, PERSON);
  const { dataFolder, checkout, ledger } = project.context;
  const workers = await Promise.all(
    ids.map((id) => startWorker(worker, [dataFolder, checkout, PROJECT, id, '15'])),
  );
  workers.forEach(go);
  const results = await Promise.all(workers.map(({ done }) => done));
  expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    ids.map(() => ({ code: 0, stderr: '' })),
  );
  expect(results.flatMap(({ stdout }) => stdout.trim().split('\n').slice(1))).toEqual(Array(60).fill('0'));

  expect(readFeatures(ledger, PROJECT).map(({ retries }) => retries)).toEqual([15, 15, 15, 15]);
  expect(project.list().features.map(({ retries }) => retries)).toEqual([15, 15, 15, 15]);
  expect(project.entries('violation_recorded')).toEqual([]);
  expect(differingFeatures(ledger, PROJECT)).toEqual([]);
  expect(ledger.verify(PROJECT)).toMatchObject({ ok: true });
});
