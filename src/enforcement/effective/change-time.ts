import { dirname } from 'node:path';
import { absolutePath, type Difference, wasThere } from '../watch/compare-area.ts';
import type { WatchArea } from '../watch/watch-areas.ts';
import { lookAt } from '../watch/watched-file.ts';

/** From begin to end, in milliseconds since 1970; without an end it goes on. */
export interface TimeSpan {
  begin: number;
  end: number | undefined;
}

/** File systems round their times to the tick of the clock. */
const TICK_MS = 10;

/** Whether a change time may lie in a span. */
export function isWithin(time: number, { begin, end }: TimeSpan): boolean {
  return time >= begin - TICK_MS && (end === undefined || time <= end + TICK_MS);
}

/**
 * Whether a difference may have come about in one of these spans, by the change times that the system keeps and no program
 * can set. A file that was moved here in a folder shows only in the folder.
 */
export function changedDuring(
  area: WatchArea,
  { path, before, found }: Difference,
  spans: readonly TimeSpan[],
): boolean {
  if (spans.length === 0) return false;
  if (found && spans.some((span) => isWithin(found.changedAt, span))) return true;
  // Written in place, it shows in the file itself.
  if (found && wasThere(before)) return false;
  const absolute = absolutePath(area, path);
  let left = spans;
  for (let folder = dirname(absolute); folder.startsWith(area.folder); folder = dirname(folder)) {
    const look = lookAt(folder);
    if (look?.kind !== 'folder' || left.some((span) => isWithin(look.changedAt, span))) return true;
    // What is gone shows in the nearest folder that is left.
    if (!found || folder === area.folder) return false;
    // Only a file that is older than a span can have come in it with a folder further up.
    left = left.filter(({ begin }) => found.changedAt < begin);
  }
  return false;
}
