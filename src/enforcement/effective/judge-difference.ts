import type { WatchedRow } from '../../store/ledger/tables/watch-tables.ts';
import { type Difference, wasThere } from '../watch/compare-area.ts';
import type { WatchArea } from '../watch/watch-areas.ts';
import { FOLDER_HASH } from '../watch/watched-file.ts';
import { onlyPersonsChoices } from './agent-settings.ts';
import { sameAgentOrders } from './agent-state.ts';
import { sameGitOrders } from './git-orders.ts';

export type Judgement =
  /** A folder: only its content counts. */
  | 'nothing'
  /** It changes nothing that acts. */
  | 'harmless'
  /** Only permission bits changed, and no program became runnable or stopped being so. */
  | 'mode'
  /** A temporary file of a restore that was killed. */
  | 'leftover'
  /** It may act: who did it decides. */
  | 'effective';

/** The texts before and after; undefined where they were not kept. */
export interface DifferenceTexts {
  before: string | undefined;
  found: string | undefined;
}

const AGENT_SETTINGS = /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/;
const AGENT_STATE = '.claude.json';
const GIT_CONFIG = /(?:^|\/)(?:config|config\.worktree|\.gitconfig)$/;

/** As `writeVersion` names what it has not finished. */
const LEFTOVER = /(?:^|\/)\.guardkit\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/s;

/** Whether a difference in an effective file can act. Pure. */
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
      ? 'effective'
      : 'mode';
  if (!wasThere(before) && LEFTOVER.test(path)) return 'leftover';
  if (found && found.kind !== 'file') return 'effective';
  const old = texts.before ?? (wasThere(before) ? undefined : '');
  const now = texts.found ?? (found ? undefined : '');
  if (area.kind === 'home' && path === AGENT_STATE && found) {
    // One that was too large to be kept cannot be compared, and its program writes it at every step.
    if (old === undefined) return 'harmless';
    return now !== undefined && sameAgentOrders(old, now) ? 'harmless' : 'effective';
  }
  if (old === undefined || now === undefined) return 'effective';
  // Git writes it anew when it makes a checkout in the place of another.
  if (area.kind === 'worktree' && path === '.git' && now.startsWith(`gitdir: ${area.repository}/worktrees/`))
    return 'harmless';
  if ((area.kind === 'repository' || area.kind === 'home') && GIT_CONFIG.test(path))
    return found && sameGitOrders(old, now, path) ? 'harmless' : 'effective';
  if (AGENT_SETTINGS.test(path)) return found && onlyPersonsChoices(old, now) ? 'harmless' : 'effective';
  return 'effective';
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
