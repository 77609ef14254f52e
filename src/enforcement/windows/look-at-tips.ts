import { findTips } from '../../store/ledger/tips-reading.ts';
import { noteTips } from './known-tips.ts';
import { settleGone } from './settle-gone.ts';
import { concerns, watchTables } from './watch.ts';
import { watchAreas } from './watch-areas.ts';
import { repositoryFolder, type WatchPlace } from './watch-place.ts';
import { readWindows } from './window.ts';

/** Looks at the names of commits before something is judged by one, if anybody ever did: a person may have just committed. */
export function lookAtTips(place: WatchPlace): void {
  if (!findTips(place.ledger, repositoryFolder(place))) return;
  const tables = watchTables(place.ledger);
  settleGone(place, tables);
  tables.exclusively(() => {
    const repository = watchAreas(place, []).filter(({ kind }) => kind === 'repository');
    const windows = readWindows(tables);
    noteTips(place, !repository.some((area) => windows.some((window) => concerns(area, window))));
  });
}
