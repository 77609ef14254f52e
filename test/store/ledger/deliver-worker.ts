import { createInterface } from 'node:readline';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { deliverOutbox } from '../../../src/store/ledger/outbox/deliver-outbox.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';

// Delivers the outbox when told to on stdin, and prints each number that the store accepted. Given a number to hang at,
// it stops forever between the store's answer and the update of the outbox.
const [ledgerPath = '', storePath = '', hangAt = '0'] = process.argv.slice(2);

createInterface({ input: process.stdin }).once('line', () => void deliver());
process.stdout.write('ready\n');

async function deliver(): Promise<void> {
  const ledger = openLedger({ path: ledgerPath });
  const store = await openSqliteStore({ path: storePath });
  const report = await deliverOutbox(ledger, {
    upsertMany: async (episodes, options) => {
      const answer = await store.upsertMany(episodes, options);
      process.stdout.write(`${answer === undefined ? 'passed' : 'stored'} ${options?.once?.number}\n`);
      if (options?.once?.number === Number(hangAt)) await new Promise(() => {});
      return answer;
    },
  });
  await store.close();
  ledger.close();
  process.stdout.write(`delivered ${report.delivered}\n`, () => process.exit());
}
