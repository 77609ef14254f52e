import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { FeatureListContext } from '../../../enforcement/feature-list/known-list.ts';
import type { WatchContext } from '../../../enforcement/watch/watch-context.ts';
import type { Repository } from '../../../platform/git/repository.ts';

/** The checkout as what agents may be watched in. */
export function watchPlaceOf(
  list: FeatureListContext,
  { folder }: Repository,
  env: NodeJS.ProcessEnv,
): WatchContext {
  const { ledger, project, checkout } = list;
  const dataFolder = realpathSync(list.dataFolder);
  return { ledger, project, checkout, git: folder, dataFolder, home: env.HOME ?? homedir(), globs: [] };
}
