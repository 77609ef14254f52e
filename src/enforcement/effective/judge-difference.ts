import type { WatchedRow } from '../../store/ledger/watch-tables.ts';
import { onlyPersonsChoices } from './agent-settings.ts';
import { sameAgentOrders } from './agent-state.ts';
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
const AGENT_STATE = '.claude.json';
const GIT_CONFIG = /(?:^|\/)(?:config|config\.worktree|\.gitconfig)$/;

/** As `putBack` names what it has not finished. */
const LEFTOVER = /(?:^|\/)\.guardkit\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/s;

/** What to think of a difference that came up while an agent acted. Pure. */
export function judgeDifference(
  area: Pick<WatchArea, 'kind' | 'repository' | 'asAtHome'>,
  { path: given, before, found }: Difference,
  texts: DifferenceTexts,
): Judgement {
  const path = area.asAtHome?.(given) ?? given;
  if (found?.hash === FOLDER_HASH && !wasThere(before)) return 'nothing';
  if (!found && before?.hash === FOLDER_HASH) return 'nothing';
  if (found && before && found.hash === before.hash)
    return isRunByGit(area, path, before, found.mode) || isKeptFromRunning(area, before, found.mode)
      ? 'unclear'
      : 'mode';
  if (!wasThere(before) && LEFTOVER.test(path)) return 'leftover';
  if (found && found.kind !== 'file') return 'unclear';
  const old = texts.before ?? (wasThere(before) ? undefined : '');
  const now = texts.found ?? (found ? undefined : '');
  if (area.kind === 'home' && path === AGENT_STATE && found) {
    // One that was too large to be kept cannot be compared, and its program would be blamed at every step.
    if (old === undefined) return 'harmless';
    return now !== undefined && sameAgentOrders(old, now) ? 'harmless' : 'unclear';
  }
  if (old === undefined || now === undefined) return 'unclear';
  // Git writes it anew when it makes a checkout in the place of another.
  if (area.kind === 'worktree' && path === '.git' && now.startsWith(`gitdir: ${area.repository}/worktrees/`))
    return 'harmless';
  if ((area.kind === 'repository' || area.kind === 'home') && GIT_CONFIG.test(path))
    return found && sameGitOrders(old, now, path) ? 'harmless' : 'unclear';
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

/** What answers hooks, and now could not. */
function isKeptFromRunning({ kind }: Pick<WatchArea, 'kind'>, before: WatchedRow, mode: number): boolean {
  return kind === 'launcher' && (before.mode & 0o111) !== 0 && (mode & 0o100) === 0;
}
