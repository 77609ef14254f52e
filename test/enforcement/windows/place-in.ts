import { join } from 'node:path';
import type { WatchPlace } from '../../../src/enforcement/windows/watch-place.ts';
import { findGitFolder } from '../../../src/platform/git-folder.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';

/** The place in a test's folder, with a ledger of its own connection. */
export function placeIn(folder: string, globs: readonly string[] = []): WatchPlace {
  const git = findGitFolder(join(folder, 'shop'));
  if (!git) throw new Error('there is no repository');
  return {
    ledger: openLedger({ path: join(folder, 'data', 'ledger.db') }),
    project: 'shop-4f2a',
    checkout: join(folder, 'shop'),
    git,
    dataFolder: join(folder, 'data'),
    home: join(folder, 'home'),
    globs,
  };
}
