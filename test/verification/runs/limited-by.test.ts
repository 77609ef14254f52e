import { expect, it } from 'vitest';
import { limitedBy } from '../../../src/verification/runs/run-tests.ts';
import { testRun } from '../gates/facts-fixture.ts';

const config = { command: 'npm test' };
const passed = (seconds: number) => testRun({}, { duration_ms: seconds * 1000 });

it('a run with other tests may take ten times as long as one that passed, and three minutes', () => {
  expect(limitedBy(config, [passed(10)]).timeout).toBe(280);
  expect(limitedBy(config, [undefined, passed(10)]).timeout).toBe(280);
});

it('the configured time limit holds if it is shorter', () => {
  expect(limitedBy({ ...config, timeout: 60 }, [passed(10)]).timeout).toBe(60);
  expect(limitedBy(config, [passed(1000)]).timeout).toBe(30 * 60);
});

it('a failed run, which may have ended early, limits nothing', () => {
  expect(limitedBy(config, [testRun({}, { exit: 1, duration_ms: 100 })]).timeout).toBeUndefined();
});
