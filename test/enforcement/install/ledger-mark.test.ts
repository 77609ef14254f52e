import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markLedger } from '../../../src/enforcement/install/ledger-mark.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { HookedProject } from '../../support/hooked-project.ts';

function remake(project: HookedProject): string {
  const path = join(project.dataFolder, 'ledger.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  const ledger = openLedger({ path });
  ledger.close();
  return ledger.file.id;
}

test('a new ledger is refused until a person accepts it', async () => {
  const project = new HookedProject();
  markLedger(project.dataFolder, remake(project));
  expect((await project.bash('true')).refused).toBe(false);
  const other = remake(project);
  const { before } = await project.bash('true');
  expect(before.exitCode).toBe(2);
  expect(before.stderr).toContain('guardkit doctor --fix');
  markLedger(project.dataFolder, other);
  expect((await project.bash('true')).refused).toBe(false);
});

test('without a ledger everything is refused, and none is created', async () => {
  const project = new HookedProject();
  rmSync(join(project.dataFolder, 'ledger.db'));
  expect((await project.bash('true')).before.stderr).toContain('guardkit init');
  expect((await project.bash('true')).refused).toBe(true);
});
