import type { Clock } from '../../src/platform/clock.ts';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  set(time: string): void;
  advance(millis: number): void;
  iso(): string;
}

export function fakeClock(start = '2026-01-01T00:00:00.000Z'): FakeClock {
  let now = Date.parse(start);
  return Object.assign(() => now, {
    set: (time: string) => {
      now = Date.parse(time);
    },
    advance: (millis: number) => {
      now += millis;
    },
    iso: () => new Date(now).toISOString(),
  });
}
