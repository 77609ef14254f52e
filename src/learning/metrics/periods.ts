/** A stretch of time; from its start to just before the next one's. In milliseconds since 1970. */
export interface Period {
  from: number;
  to: number;
}

const DAY_MS = 86_400_000;
const MOST_PERIODS = 14;

/** The time from then until now, cut into at most fourteen periods of whole days that are equally long. */
export function periodsSince(since: number, now: number): Period[] {
  const days = Math.max(1, Math.ceil((now - since) / DAY_MS));
  const each = Math.ceil(days / MOST_PERIODS) * DAY_MS;
  const periods: Period[] = [];
  for (let to = now + 1; to > since; to -= each) periods.unshift({ from: Math.max(since, to - each), to });
  return periods;
}

export function periodOf(periods: readonly Period[], at: number): number {
  return periods.findIndex(({ from, to }) => at >= from && at < to);
}
