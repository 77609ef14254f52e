import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../../../platform/files/file-trees.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { openLedger } from '../../../store/ledger/open-ledger.ts';

/** Runs with an empty data folder, so that no earlier record of this machine, real or forged, has an effect. */
export async function inTemporaryHome<Result>(
  use: (home: string, ledger: Ledger) => Promise<Result>,
): Promise<Result> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-ci-')));
  try {
    const ledger = openLedger({ path: join(home, 'ledger.db') });
    try {
      return await use(home, ledger);
    } finally {
      ledger.close();
    }
  } finally {
    removeTree(home);
  }
}
