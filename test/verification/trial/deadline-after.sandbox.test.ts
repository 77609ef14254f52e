import { describe, expect, it } from 'vitest';
import { deadlineAfter } from '../../../src/verification/trial/open-trial.ts';
import type { Trial, TriedTests } from '../../../src/verification/trial/try-commands.ts';

const trial = (tests: Partial<TriedTests>): Trial => ({
  verify: {},
  home: '/',
  tests: {
    ...{ command: 'npm test', durationMs: 100, exit: 1, timedOut: false, tail: '' },
    ...{ passed: 3, failed: 0, skipped: 0, failedNames: [], runners: [] },
    ...tests,
  },
});

describe('the time for the next commands of a trial', () => {
  it('is enough for the same tests again if only another step of the first command failed', () => {
    expect(deadlineAfter([trial({})], 1000, 990)).toBe(1190);
    expect(deadlineAfter([trial({})], 5000, 990)).toBe(5000);
  });

  it('is the given one otherwise', () => {
    const others = [
      [],
      [trial({ failed: 1 })],
      [trial({ passed: 0 })],
      [trial({ exit: 0 })],
      [trial({ exit: null, timedOut: true })],
      [trial({}), trial({})],
    ];
    for (const trials of others) expect(deadlineAfter(trials, 1000, 990)).toBe(1000);
  });
});
