import { expect, it } from 'vitest';
import { describeRunEvent } from '../../../../src/interfaces/cli/run/describe-run.ts';

const BEGINS = { type: 'run_moved', event: 'x', from: 'choosing', to: 'coding', feature: 'F1' } as const;

it('the first attempt of a feature needs no reason', () => {
  const event = { ...BEGINS, attempt: 1, failure: null, result: 'F0: verified, and completed.' };
  expect(describeRunEvent(event, false)).toBe('▶ F1');
});

it('a further attempt is told with how the one before it ended, in an earlier run too', () => {
  const failure = { attempt: 1, outcome: 'max_turns', why: 'checks: exit 1\nThe Coach: no' };
  const event = { ...BEGINS, attempt: 2, failure, result: null };
  const told = '▶ F1, attempt 2: attempt 1 reached its turn limit. checks: exit 1';
  expect(describeRunEvent(event, false)).toBe(told);
});
