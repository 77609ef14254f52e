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
  const count = Math.ceil((days * DAY_MS) / each);
  return Array.from({ length: count }, (_, index) => ({
    from: index === 0 ? since : now - (count - index) * each,
    // What happens right now belongs to the last one.
    to: index === count - 1 ? now + 1 : now - (count - index - 1) * each,
  }));
}

export function periodOf(periods: readonly Period[], at: number): number {
  return periods.findIndex(({ from, to }) => at >= from && at < to);
}
