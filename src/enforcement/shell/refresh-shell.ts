import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { ProjectConfig } from '../../config/project/project-config.ts';
import { otherCheckouts } from '../../platform/git/git-folder.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import { type RefreshedProfiles, refreshProfiles } from './refresh-profiles.ts';
import { type ShellRepository, shellFolder } from './shell-folder.ts';

/** Brings the wrapper's lists of read-only paths up to date before a command of an agent runs. */
export function refreshShell(context: WatchContext, shell: ProjectConfig['shell']): RefreshedProfiles {
  const { checkout, git, dataFolder, home, configLocations = [], globs } = context;
  const checkouts = otherCheckouts(git);
  return refreshProfiles({
    checkout,
    git,
    dataFolder,
    home,
    configLocations,
    globs,
    otherCheckouts: checkouts,
    allow: {
      outside: shell?.outside ?? [],
      ...Object.fromEntries((shell?.allow ?? []).map((name) => [name, true])),
    },
  });
}

/** While a person has paused GuardKit, commands run without the wrapper. */
export function pauseShell(dataFolder: string, repository: ShellRepository, paused: boolean): void {
  const { path, paused: mark } = shellFolder(dataFolder, repository);
  if (existsSync(mark) === paused || !existsSync(path)) return;
  if (paused) writeFileSync(mark, '');
  else rmSync(mark, { force: true });
}
