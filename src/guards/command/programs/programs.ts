import { AGENT_PROGRAMS } from './agent-programs.ts';
import { ARCHIVES } from './archives.ts';
import type { Programs } from './call.ts';
import { EDITORS } from './editors.ts';
import { FILE_COMMANDS } from './file-commands.ts';
import { GIT } from './git.ts';
import { INTERPRETERS } from './interpreters.ts';
import { NETWORK } from './network.ts';
import { REMOVALS } from './removals.ts';
import { REPEATERS } from './run-per-item.ts';
import { RUNNERS } from './runners.ts';
import { SEARCHES } from './searches.ts';
import { SHELLS } from './shells.ts';
import { TEXT_COMMANDS } from './text-commands.ts';
import { WRAPPERS } from './wrappers.ts';

/** All supported programs. */
export const PROGRAMS: Programs = {
  ...TEXT_COMMANDS,
  ...FILE_COMMANDS,
  ...REMOVALS,
  ...EDITORS,
  ...ARCHIVES,
  ...NETWORK,
  ...RUNNERS,
  ...AGENT_PROGRAMS,
  ...INTERPRETERS,
  ...GIT,
  ...REPEATERS,
  ...SEARCHES,
  ...SHELLS,
  ...WRAPPERS,
};
