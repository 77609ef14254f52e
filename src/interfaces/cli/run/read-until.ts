const CLOCK = /^([01]?[0-9]|2[0-3]):([0-5][0-9])$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?$/;

/** When it is over: `07:00` is the next time that a clock here shows it. Undefined where it is no time to come. */
export function readUntil(text: string, now: number): string | undefined {
  const clock = CLOCK.exec(text);
  if (!clock) {
    const moment = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
    return moment > now ? new Date(moment).toISOString() : undefined;
  }
  const next = new Date(now);
  next.setHours(Number(clock[1]), Number(clock[2]), 0, 0);
  if (next.getTime() <= now) next.setDate(next.getDate() + 1);
  return next.toISOString();
}
