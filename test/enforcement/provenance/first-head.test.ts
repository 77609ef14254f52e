import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { HookedProject } from '../../support/hooked-project.ts';

it('a task that was created before the first session does not make it an upgrade', async () => {
  const project = new HookedProject();
  const path = join(project.dataFolder, 'ledger.db');
  const ledger = openLedger({ path });
  ledger.append('shop-1', 'definition_recorded', {
    path: 'tasks/TASK-1.md',
    digest: 'a'.repeat(64),
    origin: 'guardkit',
    checkout: project.folder,
  });
  ledger.close();
  await project.begin();
  const after = openLedger({ path });
  const trusted = after.entries('shop-1', { kind: 'definitions_trusted' });
  after.close();
  expect(trusted).toMatchObject([{ body: { reason: 'init' } }]);
});
