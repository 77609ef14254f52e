import { isAbsolute, join } from 'node:path';
import { shownPath, toBytePath } from '../shell/byte-path.ts';
import { readGitSettings } from '../shell/git-settings.ts';
import { personGitConfigs } from '../shell/person-files.ts';
import { StampedReads } from '../shell/stamped-reads.ts';
import type { WatchContext } from '../watch/watch-context.ts';

export interface EffectiveLocations {
  /** Absolute folders that git takes hooks from. */
  hooksPaths: string[];
  /** Absolute files that the person's git configuration includes. */
  gitIncludes: string[];
}

/** The places that git's configuration adds to the effective files. */
export function effectiveLocations({
  git,
  checkout,
  home,
  configLocations = [],
}: WatchContext): EffectiveLocations {
  const at = toBytePath(home);
  const files = [toBytePath(join(git.commonDir, 'config')), ...personGitConfigs(at, configLocations)];
  const { hooksPaths, included } = readGitSettings(new StampedReads(), at, files);
  return {
    hooksPaths: hooksPaths.map(shownPath).map((path) => (isAbsolute(path) ? path : join(checkout, path))),
    gitIncludes: included.map(shownPath),
  };
}
