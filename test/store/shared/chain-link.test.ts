import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { GuardKitError } from '../../../src/guardkit-error.ts';
import { CHAIN_START } from '../../../src/store/ledger/chain/ledger-entry.ts';
import { ChainLink } from '../../../src/store/shared/chain-link.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Answers the first request only when the second one comes, as after a long outage. */
const LATE = `
const { workerData } = require('node:worker_threads');
const { port } = workerData;
let late;
port.on('message', ({ request, flag }) => {
  const answer = (batch, first) => port.postMessage({ batch, first });
  if (late === undefined) {
    late = request.batch;
    return;
  }
  answer(late, 1);
  answer(request.batch, 2);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
});
`;

it('[MANY-1] a late answer to an append that was given up is not taken for the answer to the next one', async () => {
  const file = join(temporaryFolder(onTestFinished), 'late.cjs');
  writeFileSync(file, LATE);
  const link = new ChainLink('postgres://nowhere', file, 1000);
  onTestFinished(() => link.close());
  const writer = link.writer({ project: 'calc', feature: 'FEAT-A', epoch: 1, worker: 'one' }, 'machine');
  const append = () => writer.append([{ kind: 'turn_step', body: '{}' }], CHAIN_START);
  expect(append).toThrow(GuardKitError);
  expect(append()).toBe(2);
});

it('[MANY-3] an append after the worker has ended fails at once', async () => {
  const file = join(temporaryFolder(onTestFinished), 'silent.cjs');
  writeFileSync(file, '');
  const link = new ChainLink('postgres://nowhere', file);
  const writer = link.writer({ project: 'calc', feature: 'FEAT-A', epoch: 1, worker: 'one' }, 'machine');
  await link.close();
  const began = performance.now();
  expect(() => writer.append([{ kind: 'turn_step', body: '{}' }], CHAIN_START)).toThrow(GuardKitError);
  expect(performance.now() - began).toBeLessThan(5000);
});
