import { clockTime } from '../../platform/local-time.ts';

/** For agents and people, in a hook's answer while GuardKit is paused. */
export function pauseNotice(until: string, now: number): string {
  return `GuardKit is paused by the person until ${clockTime(until, now)}.`;
}
