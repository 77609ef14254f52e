import { AREA_ROW, type WatchedRow, type WatchTables } from '../../store/ledger/watch-tables.ts';
import { acceptArea, knownGlobs, markOf } from './area-state.ts';
import { checkAreas } from './check-areas.ts';
import { type Comparison, compareArea } from './compare-area.ts';
import { findStray } from './find-stray.ts';
import { noteTips } from './known-tips.ts';
import { mendKnowledge } from './mend-knowledge.ts';
import { newWindow, type Opening } from './new-window.ts';
import { putBackMarked } from './put-back-marked.ts';
import { allOf, type WindowResult } from './restored.ts';
import { settleGone } from './settle-gone.ts';
import { concerns, knownAreas, watchTables } from './watch.ts';
import { type WatchArea, watchAreas } from './watch-areas.ts';
import type { WatchPlace } from './watch-place.ts';
import { type ActionWindow, keepWindow, readWindows, sameWindow } from './window.ts';

export type { Opening } from './new-window.ts';

/**
 * Before an agent's action. While nothing else of an agent goes on, whatever has changed since the last one is a person's
 * and is taken as it is; otherwise it may be an agent's, and is looked at as such.
 */
export function openWindow(place: WatchPlace, opening: Opening): WindowResult {
  return look(place, newWindow(place, opening));
}

/** The same without an action that follows. */
export function lookAround(place: WatchPlace): WindowResult {
  const seen = look(place, undefined);
  watchTables(place.ledger).forgetUnused();
  return seen;
}

function look(place: WatchPlace, window: ActionWindow | undefined): WindowResult {
  const tables = watchTables(place.ledger);
  const settled = settleGone(place, tables);
  const { noisy, notices } = tables.exclusively(() => takeOver(place, tables, window));
  const checked = [...new Set(noisy.map(({ window: other }) => other))].map((other) => {
    const areas = noisy.flatMap((one) => (one.window === other ? [one.area] : []));
    return checkAreas(place, tables, areas, { window: other, uncertain: true, thorough: false });
  });
  return allOf([{ restored: [], notices }, settled, ...checked]);
}

interface TakenOver {
  /** Areas in which something of an agent goes on, with the one that began first. */
  noisy: { area: WatchArea; window: ActionWindow }[];
  notices: string[];
}

/** In one transaction with the opening: of two actions that begin at once, one sees the other. */
function takeOver(place: WatchPlace, tables: WatchTables, window: ActionWindow | undefined): TakenOver {
  const others = readWindows(tables).filter((one) => !window || !sameWindow(one, window));
  const taken: TakenOver = { noisy: [], notices: [] };
  for (const area of watchAreas(place, place.globs)) {
    const other = others.find((one) => concerns(area, one));
    // Only what starts programs can reach another checkout unseen.
    if (area.kind === 'worktree' && (other || window?.body.runs === false)) continue;
    const altered = mendKnowledge(place, tables, area, other ?? window);
    const rows = tables.watched(area.key);
    // What a variable leads to for the first time is a person's, whatever goes on.
    const unseen = area.kind === 'home' && !altered && rows.length === 0;
    if (other && !unseen) {
      const [known] = area.kind === 'checkout' ? knownAreas(place, tables) : [area];
      taken.noisy.push({ area: known ?? area, window: other });
    } else {
      const marked = window && rows.some((row) => markOf(row) !== undefined);
      if (marked) putBackMarked(place, tables, [area], window);
      const known = marked ? tables.watched(area.key) : rows;
      const comparison = compareArea(area, known, { thorough: altered, quiet: true });
      const stray = strayIn(place, tables, area, { altered, known, comparison });
      if (stray) taken.noisy.push({ area, window: stray });
      else takeArea(place, tables, area, known, comparison, taken);
      if (area.kind === 'repository' && (window?.body.runs ?? true)) noteTips(place, !stray);
    }
  }
  if (window) keepWindow(tables, window);
  return taken;
}

interface Doubt {
  /** Something else has written into what is known of the area. */
  altered: boolean;
  known: readonly WatchedRow[];
  comparison: Comparison;
}

/** In whose window an area is looked at though none is open: a person's change is one only if nothing of an agent runs. */
function strayIn(
  place: WatchPlace,
  tables: WatchTables,
  area: WatchArea,
  { altered, known, comparison }: Doubt,
): ActionWindow | undefined {
  // What nobody has seen before cannot have been changed.
  if (comparison.differences.length === 0 || !known.some(({ path }) => path === AREA_ROW)) return undefined;
  const stray = findStray(place, tables, area);
  return stray ?? (altered ? unknownWindow(place) : undefined);
}

function unknownWindow(place: WatchPlace): ActionWindow {
  const nobody = { session: 'unknown', action: 'unknown', agent: 'unknown' };
  return newWindow(place, { ...nobody, runs: true, summary: 'something that wrote into the ledger' });
}

function takeArea(
  place: WatchPlace,
  tables: WatchTables,
  area: WatchArea,
  rows: readonly WatchedRow[],
  comparison: Comparison,
  { notices }: TakenOver,
): void {
  acceptArea(
    tables,
    area,
    rows,
    comparison,
    area.kind === 'checkout' ? place.globs : (knownGlobs(tables, area.key) ?? []),
  );
  if (comparison.complete) return;
  notices.push(
    `GuardKit: there are more protected files in ${area.folder} than it watches, so that changes of some are not noticed. ` +
      'Make the patterns under `protected:` narrower.',
  );
}
