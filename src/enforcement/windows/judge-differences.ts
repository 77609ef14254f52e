import type { WatchedRow } from '../../store/ledger/watch-tables.ts';
import { onlyPersonsChoices } from './agent-settings.ts';
import { type Difference, wasThere } from './compare-area.ts';
import { FOLDER_HASH } from './found.ts';
import { sameGitOrders } from './git-orders.ts';
import type { WatchArea } from './watch-areas.ts';

export type Judgement =
  /** What is in it counts, not it itself. */
  | 'nothing'
  /** It may be as it is found, whoever did it. */
  | 'harmless'
  /** Only its rights changed: they are put back, and nobody is blamed. */
  | 'mode'
  /** Of a put-back that was killed: it is taken away, and nobody is blamed. */
  | 'leftover'
  /** It may not, unless a person's word or commit says so. */
  | 'unclear';

/** The texts that a judgement may need; undefined where there is none that was kept. */
export interface DifferenceTexts {
  before: string | undefined;
  found: string | undefined;
}

const AGENT_SETTINGS = /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/;
const GIT_CONFIG = /(?:^|\/)(?:config|config\.worktree|\.gitconfig)$/;

/** As `putBack` names what it has not finished. */
const LEFTOVER = /(?:^|\/)\.guardkit\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/s;

/** What to think of a difference that came up while an agent acted. Pure. */
export function judgeDifference(
  area: Pick<WatchArea, 'kind'>,
  { path, before, found }: Difference,
  texts: DifferenceTexts,
): Judgement {
  if (found?.hash === FOLDER_HASH && !wasThere(before)) return 'nothing';
  if (!found && before?.hash === FOLDER_HASH) return 'nothing';
  if (found && before && found.hash === before.hash)
    return isRunByGit(area, path, before, found.mode) ? 'unclear' : 'mode';
  if (!wasThere(before) && LEFTOVER.test(path)) return 'leftover';
  if (found && found.kind !== 'file') return 'unclear';
  const old = texts.before ?? (wasThere(before) ? undefined : '');
  const now = texts.found ?? (found ? undefined : '');
  if (old === undefined || now === undefined) return 'unclear';
  if (area.kind !== 'checkout' && GIT_CONFIG.test(path))
    return found && sameGitOrders(old, now) ? 'harmless' : 'unclear';
  if (AGENT_SETTINGS.test(path)) return found && onlyPersonsChoices(old, now) ? 'harmless' : 'unclear';
  return 'unclear';
}

/** A hook that could not run and now can. */
function isRunByGit(area: Pick<WatchArea, 'kind'>, path: string, before: WatchedRow, mode: number): boolean {
  return (
    area.kind === 'repository' &&
    path.includes('hooks/') &&
    (before.mode & 0o111) === 0 &&
    (mode & 0o111) !== 0
  );
}
