import { dirname } from 'node:path';
import { absolutePath, type Difference, wasThere } from '../watch/compare-area.ts';
import type { WatchArea } from '../watch/watch-areas.ts';
import { statPath } from '../watch/watched-file.ts';

/** In milliseconds since 1970; open without an end. */
export interface TimeSpan {
  begin: number;
  end: number | undefined;
}

/** File systems round times to a clock tick. */
const TICK_MS = 10;

/** Whether a time lies in a span, within a tick. */
export function isWithin(time: number, { begin, end }: TimeSpan): boolean {
  return time >= begin - TICK_MS && (end === undefined || time <= end + TICK_MS);
}

/** Whether a span ended before a time, by more than a tick. */
export function endedBefore(time: number, { end }: TimeSpan): boolean {
  return end !== undefined && end + TICK_MS < time;
}

/**
 * Whether a difference may have happened in one of these spans, by ctimes, which no program can set. A file that was moved
 * here inside a folder changes only the ctime of that folder.
 */
export function changedDuring(
  area: WatchArea,
  { path, before, found }: Difference,
  spans: readonly TimeSpan[],
): boolean {
  if (spans.length === 0) return false;
  if (found && spans.some((span) => isWithin(found.changedAt, span))) return true;
  // A file written in place has a new ctime itself.
  if (found && wasThere(before)) return false;
  const absolute = absolutePath(area, path);
  let left = spans;
  for (let folder = dirname(absolute); folder.startsWith(area.folder); folder = dirname(folder)) {
    const look = statPath(folder);
    if (look?.kind !== 'folder' || left.some((span) => isWithin(look.changedAt, span))) return true;
    // A removal changes the nearest remaining folder.
    if (!found || folder === area.folder) return false;
    // Only a file older than a span can have arrived in it inside a moved folder.
    left = left.filter(({ begin }) => found.changedAt < begin);
  }
  return false;
}
