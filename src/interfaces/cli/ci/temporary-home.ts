import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../../../platform/files/file-trees.ts';
import { isInside } from '../../../platform/files/path-inside.ts';
import type { GitFolder } from '../../../platform/git/git-folder.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { openLedger } from '../../../store/ledger/open-ledger.ts';

/** Runs with an empty data folder, so that no earlier record of this machine, real or forged, has an effect. */
export async function inTemporaryHome<Result>(
  { commonDir }: Pick<GitFolder, 'commonDir'>,
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
    forgetWorktrees(commonDir, home);
  }
}

/** Git would list the verification workspaces of this run until it next cleans up. */
function forgetWorktrees(commonDir: string, home: string): void {
  const folder = join(commonDir, 'worktrees');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const link = join(folder, name, 'gitdir');
    if (existsSync(link) && isInside(readFileSync(link, 'utf8').trim(), home)) removeTree(join(folder, name));
  }
}
