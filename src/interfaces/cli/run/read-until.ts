const CLOCK = /^([01]?[0-9]|2[0-3]):([0-5][0-9])$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?$/;

const SUCH_AS = 'such as 07:00 or 2030-01-31T07:00';

export type Until = { ok: true; until: string } | { ok: false; why: string };

/** When it is over: `07:00` is the next time that a clock here shows it. */
export function readUntil(text: string, now: number): Until {
  const clock = CLOCK.exec(text);
  if (!clock) {
    const moment = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(moment))
      return { ok: false, why: `a time is expected, ${SUCH_AS}, not "${text.slice(0, 40)}"` };
    if (moment <= now) return { ok: false, why: `${text} is over; a time to come is expected, ${SUCH_AS}` };
    return { ok: true, until: new Date(moment).toISOString() };
  }
  const next = new Date(now);
  next.setHours(Number(clock[1]), Number(clock[2]), 0, 0);
  if (next.getTime() <= now) next.setDate(next.getDate() + 1);
  return { ok: true, until: next.toISOString() };
}
