import { describe, expect, it } from 'vitest';
import type { TestStatus } from '../../../src/domain/entities/test-report.ts';
import type { BaseTestsRun, ChangedTest } from '../../../src/verification/facts.ts';
import { repeatUnaltered } from '../../../src/verification/runs/repeat-unaltered.ts';
import { testRun } from '../gates/facts-fixture.ts';

const FILE = 'test/clock.test.js';
const FAILING: ChangedTest = {
  name: 'ticks',
  file: FILE,
  outcome: 'fails',
  message: 'too slow',
  changedFiles: [FILE],
  accepted: false,
  before: '',
  after: '',
};
const PASSING = { [`${FILE}: ticks`]: 'passed' } as const;

interface Case {
  changed?: ChangedTest;
  candidate?: Readonly<Record<string, TestStatus>>;
  altered?: boolean;
  second?: Readonly<Record<string, TestStatus>> | string;
  timedOut?: boolean;
}

async function repeated({
  changed = FAILING,
  candidate = PASSING,
  altered,
  second = PASSING,
  timedOut,
}: Case) {
  const repeats: (readonly string[])[] = [];
  const run = testRun({}, { exit: 1, timed_out: timedOut ?? false });
  const first: BaseTestsRun = { ran: true, run, compared: 2, changed: [changed] };
  const result = await repeatUnaltered(first, {
    candidate: testRun(candidate),
    isUnaltered: () => altered !== true,
    repeat: async (files) => {
      repeats.push(files);
      return typeof second === 'string' ? second : testRun(second);
    },
  });
  if (!result?.ran) throw new Error('it did not run');
  return { changed: result.changed.length, flaky: result.flaky?.length ?? 0, repeats };
}

describe('[VERIFY-10] an unaltered test that fails in its base version', () => {
  it('runs once more, only with its file, and is flaky if it passes then', async () => {
    expect(await repeated({})).toEqual({ changed: 0, flaky: 1, repeats: [[FILE]] });
  });

  it.each<[string, Case]>([
    ['it fails again', { second: { [`${FILE}: ticks`]: 'failed' } }],
    ['it is skipped then', { second: { [`${FILE}: ticks`]: 'skipped' } }],
    ['it does not run then', { second: {} }],
    ['it cannot run again', { second: 'the set-up failed' }],
  ])('counts as failing if %s', async (_, one) => {
    expect(await repeated(one)).toEqual({ changed: 1, flaky: 0, repeats: [[FILE]] });
  });

  it('may be a Go test, whose results name its package', async () => {
    const file = 'clock/clock_test.go';
    const name = 'TestTicks';
    const passing = {
      ...testRun({}),
      results: [{ name, file, package: 'clock', status: 'passed' as const }],
    };
    const changed: ChangedTest[] = [{ ...FAILING, name, file }];
    const result = await repeatUnaltered(
      { ran: true, run: testRun({}), compared: 2, changed },
      { candidate: passing, isUnaltered: () => true, repeat: async () => passing },
    );
    expect(result).toMatchObject({ changed: [], flaky: changed });
  });

  it('counts as failing if it ran twice, such as in two builds, and failed once', async () => {
    const run = testRun(PASSING);
    const twice = {
      ...run,
      results: [...run.results, { name: 'ticks', file: FILE, status: 'failed' as const }],
    };
    const first: BaseTestsRun = { ran: true, run: testRun({}), compared: 2, changed: [FAILING] };
    const result = await repeatUnaltered(first, {
      candidate: testRun(PASSING),
      isUnaltered: () => true,
      repeat: async () => twice,
    });
    expect(result).toMatchObject({ changed: [FAILING], flaky: [] });
  });

  it.each<[string, Case]>([
    ['the change alters it', { altered: true }],
    ['the candidate did not pass it', { candidate: { [`${FILE}: ticks`]: 'failed' } }],
    ['the candidate does not have it', { candidate: {} }],
    ['it is not comparable', { changed: { ...FAILING, outcome: 'not-comparable' } }],
    ['a person accepted its files', { changed: { ...FAILING, accepted: true } }],
    ['its file is unknown', { changed: { ...FAILING, file: undefined } }],
    ['the run timed out', { timedOut: true }],
  ])('does not run again if %s', async (_, one) => {
    expect(await repeated(one)).toEqual({ changed: 1, flaky: 0, repeats: [] });
  });
});
