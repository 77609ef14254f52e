import { type Fits, isListOf, isNumber, isShape, isTableOf, isText } from '../../domain/json/plain-shape.ts';
import {
  commitsAmong,
  lastCommitsOutside,
  newObjects,
  type ObjectsReading,
} from '../../platform/git/new-objects.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { leftInWrapper, unwrappedAgentsAtWork } from '../actions/agents-at-work.ts';
import { openActions, readActions, watchTables } from '../actions/open-actions.ts';
import { forgetWork, notedWork } from '../actions/work-spans.ts';
import type { TimeSpan } from '../effective/change-time.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';

/** Commits since the last look that an agent may have created, whether or not a ref names them. */
export interface CommitsLook extends ObjectsReading {
  commits: readonly string[];
  /** Objects that the next look may find again, because file times are rounded. */
  seen: readonly string[];
}

/** Some file systems round times down to seconds. */
const SLACK_MS = 2000;
/** More are looked at again. */
const MAX_SEEN = 1000;
/** Others to a clock tick, which may also lie ahead. */
const TICK_MS = 100;

/**
 * Finds commits by their objects: a person can name a commit by its id, by ORIG_HEAD or by a link that is not read as a ref.
 * Takes longer than reading refs, so it is done when an agent starts or stops.
 */
export function lookForCommits(context: WatchContext): CommitsLook {
  const { git } = context;
  // Before reading: what is created meanwhile belongs to the next look too.
  const at = Date.now();
  const last = lastLook(context);
  const spans = last ? spansOfWork(context, last.at) : [];
  const isDuring = (time: number) => spans.some((span) => isWithin(time, span));
  const { ids, places } = newObjects(git.commonDir, spans.length > 0 ? last : undefined, isDuring);
  const before = new Set(last?.seen);
  const fresh = ids.filter((id) => !before.has(id));
  return { at, places, commits: commitsAmong(git.gitDir, fresh), seen: ids.slice(0, MAX_SEEN) };
}

/** The last of its commits that are in the history of no ref: the others are attributed by their refs. */
export function strayCommits(
  { git }: WatchContext,
  commits: readonly string[],
  tips: readonly string[],
): StrayCommits {
  if (commits.length === 0) return { last: [], broken: [] };
  const last = lastCommitsOutside(git.gitDir, commits, tips);
  return last ? { last, broken: [] } : { last: [], broken: commits };
}

interface StrayCommits {
  last: readonly string[];
  /** Commits among which git cannot find the stray ones. */
  broken: readonly string[];
}

export function keepLook(context: WatchContext, { at, places, seen }: CommitsLook): void {
  cacheRead(context.ledger, lookKey(context), '', { at, places, seen });
  forgetWork(context, at);
}

type LastLook = Omit<CommitsLook, 'commits'>;

const isLook: Fits<LastLook> = isShape({ at: isNumber, places: isTableOf(isText), seen: isListOf(isText) });

function lastLook(context: WatchContext): LastLook | undefined {
  const last = findLastCached(context.ledger, lookKey(context))?.body;
  return isLook(last) ? { ...last, at: last.at - SLACK_MS } : undefined;
}

function lookKey(context: WatchContext): string {
  return `objects in ${repositoryFolder(context)}`;
}

/** When agents may have written to the repository. */
function spansOfWork(context: WatchContext, since: number): TimeSpan[] {
  if (unwrappedAgentsAtWork(context) || leftInWrapper(context) !== undefined)
    return [{ begin: since, end: undefined }];
  const tables = watchTables(context.ledger);
  const repository = repositoryFolder(context);
  // An agent that was killed never reports the end of its action.
  const cut = readActions(tables).filter(
    ({ body, opened_at }) => body.ended_at === undefined && opened_at >= since,
  );
  const open = [...openActions(tables), ...cut].filter(
    ({ body }) => body.repository === repository && body.confined !== true,
  );
  return [...notedWork(context), ...open.map(({ opened_at }) => ({ begin: opened_at, end: undefined }))];
}

function isWithin(time: number, { begin, end }: TimeSpan): boolean {
  return time >= begin - SLACK_MS && (end === undefined || time <= end + TICK_MS);
}
