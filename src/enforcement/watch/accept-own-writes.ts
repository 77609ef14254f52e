import { relative, sep } from 'node:path';
import { accept } from './area-state.ts';
import { lookAt, readFound } from './found.ts';
import { knownAreas, watchTables } from './watch.ts';
import type { WatchPlace } from './watch-place.ts';

/**
 * Files that GuardKit itself has just written or removed, by their absolute real paths: they are known as they are now,
 * also while agents act. Called right after the writing by whatever writes what is watched.
 */
export function takeAsOwn(place: WatchPlace, files: readonly string[]): void {
  const tables = watchTables(place.ledger);
  tables.exclusively(() => {
    for (const area of knownAreas(place, tables)) {
      for (const file of files) {
        const path = relative(area.folder, file).split(sep).join('/');
        if (path.startsWith('..') || !area.wants(path)) continue;
        const look = lookAt(file);
        const found = look && readFound(file, path, look);
        accept(tables, area, { path, before: undefined, found });
      }
    }
  });
}
