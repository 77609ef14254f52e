import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { ListPlace } from '../../../enforcement/feature-list/known-list.ts';
import type { WatchPlace } from '../../../enforcement/watch/watch-place.ts';
import type { Repository } from '../../../platform/git/repository.ts';

/** The checkout as what agents may be watched in. */
export function watchPlaceOf(list: ListPlace, { folder }: Repository, env: NodeJS.ProcessEnv): WatchPlace {
  const { ledger, project, checkout } = list;
  const dataFolder = realpathSync(list.dataFolder);
  return { ledger, project, checkout, git: folder, dataFolder, home: env.HOME ?? homedir(), globs: [] };
}
