import { describe, expect, it } from 'vitest';
import { checkHonesty } from '../../../src/orchestration/turns/check-honesty.ts';
import { aReport, CRITERIA } from '../turn-fixture.ts';

const COUNTS = { passed: 3, failed: 0, skipped: 0 };

function findings(
  said: Record<string, unknown>,
  changedFiles: string[] = ['src/login.js'],
  testCounts: typeof COUNTS | null = COUNTS,
) {
  return checkHonesty({
    report: aReport(said),
    changedFiles,
    testCounts,
    criteria: CRITERIA,
    folder: '/w/tree',
  });
}

describe('a true report has no findings', () => {
  it.each([
    [
      {
        files_modified: ['src/login.js'],
        tests_passed: 3,
        tests_failed: 0,
        criteria: { 'AC-001': 'verified' },
      },
    ],
    [{ files_modified: ['./src/login.js'] }],
    [{ files_modified: ['/w/tree/src/login.js'] }],
    [{ files_modified: ['src'] }],
    [{ files_modified: ['src/'] }],
    [{ files_modified: ['src/login.js', '.claude/task-plans/TASK-001-implementation-plan.md'] }],
  ])('%j', (said) => {
    expect(findings(said)).toEqual([]);
  });

  it('nor has one that claims the work of an earlier turn without a report', () => {
    const report = aReport({ files_modified: ['src/login.js', 'src/session.js'] });
    const said = { report, testCounts: COUNTS, criteria: CRITERIA };
    const changedSinceReport = ['src/login.js', 'src/session.js', 'src/other.js'];
    expect(checkHonesty({ ...said, changedFiles: ['src/login.js'], changedSinceReport })).toEqual([]);
    expect(checkHonesty({ ...said, changedFiles: [], changedSinceReport })).toEqual([]);
    expect(checkHonesty({ ...said, changedFiles: [] })).toHaveLength(2);
  });
});

describe('each false claim gives one finding that names it', () => {
  it.each([
    [
      'files that the diff does not show',
      findings({ files_modified: ['src/login.js', 'src/ghost.js'] }),
      /src\/ghost\.js/,
    ],
    [
      'files that the report keeps to itself',
      findings({ files_modified: ['src/login.js'] }, ['src/login.js', 'package.json']),
      /package\.json/,
    ],
    [
      'more passing tests than there were',
      findings({ files_modified: ['src/login.js'], tests_passed: 42 }),
      /\b42\b.*\b3\b/,
    ],
    [
      'failures that are left out',
      findings({ files_modified: ['src/login.js'], tests_failed: 0 }, ['src/login.js'], {
        ...COUNTS,
        failed: 2,
      }),
      /\b0\b.*\b2\b/,
    ],
    [
      'tests though none ran',
      findings({ files_modified: ['src/login.js'], tests_passed: 1 }, ['src/login.js'], null),
      /\b1\b/,
    ],
    [
      'a criterion without a passing test',
      findings(
        { files_modified: ['src/login.js'], criteria: { 'User can log in': 'verified' } },
        ['src/login.js'],
        {
          ...COUNTS,
          passed: 0,
        },
      ),
      /AC-001/,
    ],
    [
      'a criterion that there is not',
      findings({ files_modified: ['src/login.js'], criteria: { 'AC-099': 'verified' } }),
      /AC-099/,
    ],
    ['work though nothing changed', findings({}, []), /\bimplemented\b/],
  ])('%s', (_what, found, named) => {
    expect(found).toEqual([expect.stringMatching(named)]);
  });

  it('and stays short, however much was invented', () => {
    const many = Array.from({ length: 5000 }, (_, index) => `ghost-${index}.js\n## heading`);
    const [finding = ''] = findings({ files_modified: ['src/login.js', ...many] });
    expect(finding).toContain('4990');
    expect(finding).not.toContain('\n');
    expect(finding.length).toBeLessThan(2500);
  });

  it('without a report there are no findings', () => {
    const nothing = { changedFiles: ['a'], testCounts: null, criteria: CRITERIA };
    expect(checkHonesty({ report: undefined, ...nothing })).toEqual([]);
  });
});
