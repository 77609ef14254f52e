import { describe, expect, it } from 'vitest';
import { measureCoverage } from '../../../src/verification/coverage/measure-coverage.ts';
import { coverageGate } from '../../../src/verification/gates/coverage-gate.ts';
import { someEvidence, someFacts } from './facts-fixture.ts';

/** A file of ten lines of which the first `covered` ran; by default all are changed. */
function judge(
  covered: number,
  over: Parameters<typeof someFacts>[0] = {},
  changed?: ReadonlyMap<string, ReadonlySet<number>>,
) {
  const lines = new Map(Array.from({ length: 10 }, (_, index) => [index + 1, index < covered ? 1 : 0]));
  const report = { format: 'lcov', files: [{ path: 'a.js', covered, total: 10, lines }] };
  const figures = measureCoverage(report, changed ?? new Map([['a.js', new Set(lines.keys())]]));
  const coverage = {
    measured: true as const,
    evidence: someEvidence({ check: 'coverage' }),
    figures,
    format: 'lcov',
  };
  return coverageGate.judge(someFacts({ coverage, ...over }));
}

describe('[VERIFY-2] the coverage gate', () => {
  it('compares the changed lines with the threshold of the task', () => {
    expect(judge(8)).toMatchObject({
      result: 'pass',
      required: true,
      reason: expect.stringMatching(/80\.0%.*\(8\/10\).*80\.0%/),
    });
    expect(judge(7)).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/70\.0%.*\(7\/10\).*80\.0%/),
    });
  });

  it('never rounds up to a threshold that was missed', () => {
    expect(judge(8, { rules: { coverageThreshold: 0.8001 } })).toMatchObject({ result: 'fail' });
  });

  it('compares the project if the scope is project, and shows both figures', () => {
    const changed = new Map([['a.js', new Set([1])]]);
    expect(judge(1, { rules: { coverageScope: 'project' } }, changed)).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/\b10\.0%.*\b100\.0%/),
    });
  });

  it('is absent, not passed, if nothing was measured', () => {
    const coverage = { measured: false as const, why: 'lcov.info was not written by this run' };
    expect(coverageGate.judge(someFacts({ coverage }))).toMatchObject({ result: 'absent', required: true });
  });

  it('passes a change without an executable line', () => {
    expect(judge(8, {}, new Map([['README.md', new Set([1])]]))).toMatchObject({ result: 'pass' });
  });

  it('counts a changed file missing from the report as uncovered', () => {
    expect(judge(10, {}, new Map([['b.js', new Set([1, 2])]]))).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('b.js'),
    });
  });

  it('fails when the change excludes lines from coverage', () => {
    expect(judge(10, { coverageExclusions: ['a.js:3'] })).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('a.js:3'),
    });
  });

  it('is shown but not required if the task type needs none', () => {
    expect(judge(0, { rules: { coverageRequired: false } })).toMatchObject({
      result: 'fail',
      required: false,
    });
  });
});
