import type { ProcessId } from '../../platform/process-row.ts';
import type { WatchTables } from '../../store/ledger/watch-tables.ts';
import { checkAreas } from './check-areas.ts';
import { leftRunning } from './left-running.ts';
import { allOf, NOTHING_RESTORED, type WindowResult } from './restored.ts';
import { concerns, knownAreas } from './watch.ts';
import { repositoryArea, type WatchArea } from './watch-areas.ts';
import { repositoryFolder, type WatchPlace } from './watch-place.ts';
import { type ActionWindow, keepWindow, readWindows, sameWindow } from './window.ts';

export interface EndOptions {
  /** Read everything, whatever the stamps say. */
  thorough: boolean;
  /** Also look for what has cut every tie to its agent: only right after the action, when little else can have begun. */
  orphans: boolean;
  /** False for actions that were refused, so that they cannot have left anything running. */
  ran: boolean;
  /** Of the one action that ends. */
  took?: ActionTime | undefined;
}

/** How long an action took by itself, without the time in which a person was asked whether it may happen. */
export interface ActionTime {
  ms: number;
  /** When GuardKit was told of its end; for a hook, when its process began. */
  toldAt: number;
}

/** What may lie between the end of an action and the start of the program that is told of it. */
const SLACK_MS = 5000;

/**
 * Ends windows of one checkout whose actions are over: looks at the files once for all of them, and keeps those open whose
 * processes go on. What runs is looked for first: what has ended by then has done its writing.
 */
export function endWindows(
  place: WatchPlace,
  tables: WatchTables,
  windows: readonly ActionWindow[],
  { thorough, orphans, ran, took }: EndOptions,
): WindowResult {
  const [first] = windows;
  if (!first) return NOTHING_RESTORED;
  const running = ran ? windows.filter(({ body }) => body.runs) : [];
  const left = leftRunning(place, running, () => orphans);
  const after = windows.map((window) => ({
    window,
    next: ran ? nextState(window, orphans, left.get(window) ?? []) : undefined,
  }));
  const areas = [...knownAreas(place, tables), ...lostRepositories(place, windows)].filter((area) =>
    windows.some((one) => concerns(area, one)),
  );
  const all = readWindows(tables);
  const uncertain =
    all.filter((one) => areas.some((area) => concerns(area, one) && area.kind === 'checkout')).length > 1;
  const runs = windows.find(({ body }) => body.runs) ?? first;
  const alone = after.every(({ next }) => next === undefined)
    ? areas.filter((area) => all.filter((one) => concerns(area, one)).length === 1)
    : [];
  const began =
    took === undefined || windows.length > 1
      ? undefined
      : { at: took.toldAt - took.ms - SLACK_MS, areas: alone };
  const checked = checkUntilDone(() =>
    checkAreas(place, tables, areas, { window: runs, uncertain, thorough, began }),
  );
  tables.exclusively(() => {
    const standing = readWindows(tables);
    for (const { window, next } of after) {
      // Somebody else may have ended it meanwhile.
      if (!standing.some((one) => sameWindow(one, window))) continue;
      if (next) keepWindow(tables, next);
      // What is left of it must not be taken for a person's: it is looked at again before this window ends.
      else if (!checked.unfinished) tables.removeWindow(window);
    }
  });
  return checked;
}

/** Well below what an agent's program grants a hook. */
const PATIENCE_MS = 20_000;

function checkUntilDone(check: () => WindowResult): WindowResult {
  // `performance` takes longer to load than all else that is done here.
  const until = Date.now() + PATIENCE_MS;
  const results = [check()];
  while (results.at(-1)?.unfinished && Date.now() < until) results.push(check());
  return { ...allOf(results), unfinished: results.at(-1)?.unfinished ?? false };
}

/** Git's folder as it was when the action began, where the checkout was given another one meanwhile. */
function lostRepositories(place: WatchPlace, windows: readonly ActionWindow[]): WatchArea[] {
  const now = repositoryFolder(place);
  const before = new Set(windows.map(({ body }) => body.repository));
  return [...before].filter((folder) => folder !== now && folder !== '').map(repositoryArea);
}

/** The window as it goes on; undefined where it does not. */
function nextState(window: ActionWindow, orphans: boolean, processes: ProcessId[]): ActionWindow | undefined {
  const { body } = window;
  if (processes.length > 0) return { ...window, body: { ...body, state: 'background', processes, orphans } };
  return body.scheduled && body.state !== 'scheduled'
    ? { ...window, body: { ...body, state: 'scheduled', processes: [] } }
    : undefined;
}
