import { otherCheckouts } from '../../platform/git-folder.ts';
import type { WatchPlace } from '../watch/watch-place.ts';
import type { ShellAllowances } from './hidden-sockets.ts';
import { type RefreshedProfiles, refreshProfiles } from './refresh-profiles.ts';

/** Brings the wrapper's lists of read-only paths up to date before a command of an agent runs. */
export function refreshShell(place: WatchPlace, allow: ShellAllowances = {}): RefreshedProfiles {
  const { checkout, git, dataFolder, home, orderFolders = [], globs } = place;
  const checkouts = otherCheckouts(git);
  return refreshProfiles({
    checkout,
    git,
    dataFolder,
    home,
    orderFolders,
    globs,
    otherCheckouts: checkouts,
    allow,
  });
}
