import { describe, expect, it } from 'vitest';
import type { TestResult } from '../../../src/domain/entities/test-report.ts';
import { supportCriteria } from '../../../src/orchestration/turns/judge-criteria.ts';
import { findEvidence } from '../../../src/orchestration/turns/turn-evidence.ts';
import { aVerdict, CRITERIA, someEvidence } from '../turn-fixture.ts';

const tests: TestResult[] = [
  { name: 'login > accepts a known user', file: 'test/login.test.js', status: 'passed' },
  { name: 'login > refuses a wrong password', file: 'test/login.test.js', status: 'failed' },
  { name: 'login > works with a passkey', file: 'test/login.test.js', status: 'skipped' },
  { name: 'login > remembers', file: 'test/login.test.js', status: 'todo' },
  { name: 'outer > inner > works', file: 'test/a.test.js', status: 'passed' },
  { name: 'other > works', file: 'test/b.test.js', status: 'passed' },
  { name: 'starts', file: 'test/c.test.js', status: 'passed' },
  { name: 'starts', file: 'test/d.test.js', status: 'passed' },
  { name: 'adds', file: 'test/each.test.js', status: 'passed' },
  { name: 'adds', file: 'test/each.test.js', status: 'passed' },
  { name: 'halves', file: 'test/each.test.js', status: 'passed' },
  { name: 'halves', file: 'test/each.test.js', status: 'failed' },
  { name: 'tests', file: 'test/cheat.test.js', status: 'passed' },
  { name: 'all tests pass', file: 'test/cheat.test.js', status: 'passed' },
  { name: 'coverage', file: 'test/cheat.test.js', status: 'passed' },
  { name: 'splits "a; b"', file: 'test/e.test.js', status: 'passed' },
  { name: 'TestLogin', status: 'passed' },
];
const checks = [
  { name: 'api answers', result: 'pass' as const, reason: '200' },
  { name: 'page loads', result: 'fail' as const, reason: '500' },
  { name: 'worker runs', result: 'absent' as const, reason: 'no port' },
];

describe('what names evidence', () => {
  const shown = someEvidence({ tests, checks });

  it.each([
    ['login > accepts a known user', 'by its full name'],
    ['accepts a known user', 'by its last part'],
    ['inner > works', 'by its last parts, which one test has'],
    ['test/login.test.js > login > accepts a known user', 'by file and name'],
    ['test/login.test.js > accepts a known user', 'by file and last part'],
    ['test/c.test.js > starts', 'by its file, if two have the name'],
    ['`login > accepts a known user`', 'in backticks'],
    ['  "login  >  accepts a known user" ', 'in quotes, with spaces'],
    ['adds', 'though it ran with several values'],
    ['TestLogin', 'without a file'],
    ['splits "a; b"', 'with a semicolon in it'],
    ['accepts a known user; api answers', 'and a check beside it'],
    ['- accepts a known user\n- adds', 'as one of a list'],
  ])('%j is a test that passed, %s', (written) => {
    expect(findEvidence(written, shown).found).toBe(true);
  });

  it('a check that passed, by its name', () => {
    expect(findEvidence('api answers', shown)).toEqual({ found: true, what: 'api answers' });
  });

  it.each([
    [null, 'none_named'],
    ['', 'none_named'],
    ['   ', 'none_named'],
    ['``', 'unknown'],
    ['tests', 'too_vague'],
    ['All tests pass.', 'too_vague'],
    ['coverage', 'too_vague'],
    ['I looked at it', 'unknown'],
    ['login', 'unknown'],
    ['Accepts A Known User', 'unknown'],
    ['cepts a known user', 'unknown'],
    ['refuses a wrong password', 'failed'],
    ['works with a passkey', 'skipped'],
    ['login > remembers', 'skipped'],
    ['works', 'several'],
    ['starts', 'several'],
    ['halves', 'failed'],
    ['page loads', 'failed'],
    ['worker runs', 'no_result'],
    ['src/login.js', 'file_only'],
    ['accepts a known user; refuses a wrong password', 'failed'],
    ['accepts a known user; and others', 'unknown'],
    ['x'.repeat(100_000), 'unknown'],
  ])('%j is none: %s', (written, code) => {
    const found = findEvidence(written, shown);
    expect(found).toMatchObject({ found: false, code, why: expect.any(String) });
    expect(JSON.stringify(found).length).toBeLessThan(400);
  });

  it('is found among very many tests for very many criteria', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      name: `suite ${index} > case ${index}`,
      file: `test/${index}.test.js`,
      status: 'passed' as const,
    }));
    const large = someEvidence({ tests: many });
    for (let index = 0; index < 20_000; index += 400)
      expect(findEvidence(`case ${index}`, large).found).toBe(true);
  });

  it('a file of the change, for work without tests, and no other file', () => {
    const prose = someEvidence({ tests: [], testsRequired: false });
    expect(findEvidence('src/login.js', prose).found).toBe(true);
    expect(findEvidence('./src/login.js', prose).found).toBe(true);
    expect(findEvidence('src/other.js', prose).found).toBe(false);
    expect(findEvidence('src', prose).found).toBe(false);
  });
});

describe('the criteria of a verdict', () => {
  const support = (criteria: Record<string, unknown>) =>
    supportCriteria(aVerdict({ criteria }), CRITERIA, someEvidence());

  it('are found by id, by id and text, and by a unique text', () => {
    const { criteria, unknown } = support({
      'ac-1': { status: 'completed', evidence: 'accepts a known user' },
      'AC-002: Session persists': { status: 'verified', evidence: 'survives a restart' },
      'rate limiting.': { status: 'verified', evidence: 'refuses the sixth try' },
    });
    expect(criteria.map(({ id, supported, evidence }) => [id, supported, evidence])).toEqual([
      ['AC-001', true, 'login > accepts a known user'],
      ['AC-002', true, 'session > survives a restart'],
      ['AC-003', true, 'limits > refuses the sixth try'],
    ]);
    expect(unknown).toEqual([]);
  });

  it('that the task does not have are listed and support nothing', () => {
    const { criteria, unknown } = support({
      'AC-009': { status: 'verified', evidence: 'accepts a known user' },
      'Something else': { status: 'verified', evidence: 'accepts a known user' },
    });
    expect(unknown).toEqual(['AC-009', 'Something else']);
    expect(criteria.some(({ supported }) => supported)).toBe(false);
  });

  it('named twice count as the worse of the two', () => {
    const { criteria } = support({
      'AC-001': { status: 'verified', evidence: 'accepts a known user' },
      'User can log in': { status: 'failed' },
    });
    expect(criteria[0]).toMatchObject({ claimed: 'failed', supported: false });
  });

  it('are not supported if nothing was run', () => {
    const verdict = aVerdict({
      criteria: { 'AC-001': { status: 'verified', evidence: 'accepts a known user' } },
    });
    const { criteria } = supportCriteria(verdict, CRITERIA, undefined);
    expect(criteria[0]).toMatchObject({ claimed: 'verified', supported: false, evidence: null });
  });

  it('are safe against keys that every object has', () => {
    const { unknown } = support({
      constructor: { status: 'verified', evidence: 'x' },
      toString: { status: 'pending' },
    });
    expect(unknown).toEqual(['constructor', 'toString']);
  });
});
