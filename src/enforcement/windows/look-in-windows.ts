import { checkAreas } from './check-areas.ts';
import { allOf, type WindowResult } from './restored.ts';
import { settleGone } from './settle-gone.ts';
import { concerns, knownAreas, watchTables } from './watch.ts';
import type { WatchPlace } from './watch-place.ts';
import { readWindows } from './window.ts';

/**
 * Looks at what agents have changed in actions of which nobody told the end: one that exchanged what answers its hooks is
 * heard of no more. Where no agent acts, nothing is looked at, and what a person has changed stays to be taken over.
 */
export function lookInWindows(place: WatchPlace): WindowResult {
  const tables = watchTables(place.ledger);
  const settled = settleGone(place, tables);
  const window = readWindows(tables).find(
    ({ project, checkout }) => project === place.project && checkout === place.checkout,
  );
  if (!window) return settled;
  const areas = knownAreas(place, tables).filter((area) => concerns(area, window));
  return allOf([settled, checkAreas(place, tables, areas, { window, uncertain: true, thorough: false })]);
}
