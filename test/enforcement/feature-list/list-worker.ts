import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findKnownList } from '../../../src/enforcement/feature-list/known-list.ts';
import { projectList } from '../../../src/enforcement/feature-list/project-list.ts';
import { reconcileFeatureList } from '../../../src/enforcement/feature-list/reconcile-feature-list.ts';
import { inTransaction } from '../../../src/store/ledger/in-transaction.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { changeFeatures } from '../../../src/store/ledger/tables/feature-table.ts';

// Increments the attempts of one feature in ledger and list, and reconciles the list in between like a hook.
const [dataFolder = '', checkout = '', project = '', feature = '', count = '0'] = process.argv.slice(2);

createInterface({ input: process.stdin }).once('line', () => {
  const ledger = openLedger({ path: join(dataFolder, 'ledger.db') });
  const context = { ledger, project, checkout, dataFolder };
  const actor = { agent: 'claude', session: feature, type: 'coding', id: undefined };
  for (let turn = 1; turn <= Number(count); turn += 1) {
    inTransaction(ledger, () => {
      changeFeatures(ledger, project, (current) => ({
        by: 'verification',
        actor: 'guardkit',
        features: current
          .filter(({ id }) => id === feature)
          .map((one) => ({ ...one, retries: one.retries + 1 })),
      }));
      const known = findKnownList(context);
      if (known) projectList(context, known);
    });
    const { faults } = reconcileFeatureList(context, { inWindow: true, actor, action: null });
    process.stdout.write(`${faults.length}\n`);
  }
  ledger.close();
  process.exit();
});
process.stdout.write('ready\n');
