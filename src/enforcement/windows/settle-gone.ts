import { findGitFolder } from '../../platform/git-folder.ts';
import type { ProcessId } from '../../platform/process-row.ts';
import { isRunning } from '../../platform/process-table.ts';
import type { WatchTables } from '../../store/ledger/watch-tables.ts';
import { endWindows } from './end-windows.ts';
import { leftRunning } from './left-running.ts';
import { allOf, NOTHING_RESTORED, type WindowResult } from './restored.ts';
import { findSession, isOver } from './sessions.ts';
import type { WatchPlace } from './watch-place.ts';
import { type ActionWindow, keepWindow, readWindows, sameWindow } from './window.ts';

/** An action of an agent whose program is not known, and that nobody has told the end of. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;

/**
 * Ends the windows of whatever is gone without saying so: agents that were killed, background work that has ended. What
 * changed in them was theirs. Of other projects too, or the files that all share would wait for those for ever.
 */
export function settleGone(place: WatchPlace, tables: WatchTables): WindowResult {
  const windows = readWindows(tables);
  if (windows.length === 0) return NOTHING_RESTORED;
  const quiet = windows.filter(isQuiet);
  // After all of them were seen to have ended, so that whatever they had started before is among it; once for all.
  const going = leftRunning(place, quiet, ({ body }) => body.orphans === true);
  for (const [window, processes] of going) keepProcesses(tables, window, processes);
  const due = windows.filter((window) =>
    quiet.includes(window) ? !going.has(window) : isDue(place, window),
  );
  const checkouts = new Set(due.map(({ project, checkout }) => JSON.stringify([project, checkout])));
  const results = [...checkouts].map((key) => {
    const here = due.filter(({ project, checkout }) => JSON.stringify([project, checkout]) === key);
    const [first] = here;
    const there = first && placeOf(place, first);
    if (there) return endWindows(there, tables, here, { thorough: true, orphans: false, ran: true });
    // The checkout is gone, and with it all that could have been changed there.
    for (const window of here) tables.removeWindow(window);
    return NOTHING_RESTORED;
  });
  return allOf(results);
}

function placeOf(place: WatchPlace, { project, checkout }: ActionWindow): WatchPlace | undefined {
  if (project === place.project && checkout === place.checkout) return place;
  const git = findGitFolder(checkout);
  return git && { ...place, project, checkout, git, globs: [] };
}

/** Work in the background of which nothing that is known runs any more. */
function isQuiet({ body }: ActionWindow): boolean {
  return body.state === 'background' && !body.processes.some(isRunning);
}

function isDue(place: WatchPlace, { body, project, session, opened_at }: ActionWindow): boolean {
  switch (body.state) {
    case 'background':
      return false;
    case 'scheduled': {
      const found = findSession({ ledger: place.ledger, project }, session);
      return !found || isOver(found);
    }
    case 'open':
      return body.agent_process ? !isRunning(body.agent_process) : Date.now() - opened_at > GIVE_UP_MS;
  }
}

function keepProcesses(tables: WatchTables, window: ActionWindow, processes: ProcessId[]): void {
  tables.exclusively(() => {
    if (readWindows(tables).some((one) => sameWindow(one, window)))
      keepWindow(tables, { ...window, body: { ...window.body, processes } });
  });
}
