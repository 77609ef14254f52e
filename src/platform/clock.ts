/** Milliseconds since 1970; a parameter wherever time matters, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Date and time to the minute, in local time. */
export function localTime(at: string): string {
  const time = new Date(at);
  return `${dayOf(time)} ${hoursOf(time)}`;
}

/** The local time to the minute, with the date only if it is not today. */
export function clockTime(at: string, now: number): string {
  const time = new Date(at);
  return dayOf(time) === dayOf(new Date(now)) ? hoursOf(time) : localTime(at);
}

function dayOf(time: Date): string {
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

function hoursOf(time: Date): string {
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
