import { describe, expect, it } from 'vitest';
import { testsGate } from '../../../src/verification/gates/tests-gate.ts';
import { rewritingRun, someFacts, testRun } from './facts-fixture.ts';

const judge = (...args: Parameters<typeof testRun>) =>
  testsGate.judge(someFacts({ candidate: testRun(...args) }));

describe('[VERIFY-1] the tests gate', () => {
  it('passes when every executed test passed, and counts skipped ones', () => {
    expect(judge({ a: 'passed', b: 'passed', c: 'skipped', d: 'todo' })).toMatchObject({
      result: 'pass',
      required: true,
      reason: expect.stringMatching(/\b2\b/),
      warnings: [expect.stringMatching(/\b2\b/)],
    });
  });

  it('is absent when the command exits 0 without naming a test', () => {
    expect(judge({})).toMatchObject({
      result: 'absent',
      required: true,
    });
  });

  it('is absent when everything was skipped', () => {
    expect(judge({ a: 'skipped', b: 'todo' })).toMatchObject({
      result: 'absent',
      reason: expect.stringMatching(/\b2\b/),
    });
  });

  it('fails on one failing test, whatever the exit code', () => {
    expect(judge({ a: 'passed', b: 'failed' }, { exit: 0 })).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/\b1\b.*\b2\b.*: b$/),
    });
  });

  it('fails on a non-zero exit code although every named test passed', () => {
    const judged = judge({ a: 'passed' }, { exit: 1, output_tail: 'tsc: 3 errors\n' });
    expect(judged).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/\bexit 1\b.*: tsc: 3 errors$/),
    });
  });

  it('fails when the command timed out, was killed by a signal, or a file did not load', () => {
    expect(judge({ a: 'passed' }, { exit: null, timed_out: true }).result).toBe('fail');
    expect(judge({ a: 'passed' }, { exit: null, signal: 'SIGKILL' }).reason).toContain('SIGKILL');
    expect(
      judge({ a: 'passed' }, { faults: [{ file: 'x.test.js', message: 'cannot load\nat …' }] }),
    ).toMatchObject({
      result: 'fail',
      reason: 'x.test.js: cannot load',
    });
  });

  it('is absent without a test command, and explains what to add', () => {
    expect(testsGate.judge(someFacts({ candidate: undefined }))).toMatchObject({
      result: 'absent',
      required: true,
      reason: expect.stringContaining('verify:'),
    });
  });

  describe('with a base with failing tests that a person accepted', () => {
    const beyond = (candidate: Parameters<typeof testRun>, base: Parameters<typeof testRun>) =>
      testsGate.judge(
        someFacts({ candidate: testRun(...candidate), base: testRun(...base), redBaseAccepted: true }),
      );
    const RED: Parameters<typeof testRun> = [{ a: 'passed', b: 'failed' }, { exit: 1 }];
    const unloaded = { file: 'x.test.js', message: 'cannot load\nat …' };

    it('passes without new failures, and reports that', () => {
      expect(beyond([{ a: 'passed', b: 'failed', c: 'passed' }, { exit: 1 }], RED)).toMatchObject({
        result: 'pass',
        reason: expect.stringMatching(/\b2\b.*\b1\b.*\b3\b.*: b$/),
        warnings: [expect.any(String)],
      });
      const fault = { exit: 1, faults: [unloaded] };
      expect(beyond([{ a: 'passed' }, fault], [{ a: 'passed' }, fault]).result).toBe('pass');
      const unnamed = { exit: 2 };
      expect(beyond([{ a: 'passed' }, unnamed], [{ a: 'passed' }, unnamed]).result).toBe('pass');
    });

    it.each<[string, Parameters<typeof testRun>, Parameters<typeof testRun>]>([
      ['a previously passing test fails', [{ a: 'failed', b: 'failed' }, { exit: 1 }], RED],
      ['a new test fails', [{ a: 'passed', b: 'failed', c: 'failed' }, { exit: 1 }], RED],
      [
        'a file no longer loads',
        [
          { a: 'passed', b: 'failed' },
          { exit: 1, faults: [unloaded] },
        ],
        RED,
      ],
      ['the command ends differently', [{ a: 'passed' }, { exit: 3 }], [{ a: 'passed' }, { exit: 2 }]],
      [
        'it ran out of time',
        [
          { a: 'passed', b: 'failed' },
          { exit: null, timed_out: true },
        ],
        RED,
      ],
      ['the base is not red at all', [{ a: 'passed', b: 'failed' }, { exit: 1 }], [{ a: 'passed' }]],
    ])('fails when %s', (_name, candidate, base) => {
      expect(beyond(candidate, base).result).toBe('fail');
    });

    it('is absent when nothing passes', () => {
      expect(beyond([{ b: 'failed' }, { exit: 1 }], RED).result).toBe('absent');
    });
  });

  it('is not required of work without tests, and only requires presence if tests may fail', () => {
    const none = { testsRequired: false, testsMustPass: false };
    expect(testsGate.judge(someFacts({ candidate: undefined, rules: none })).required).toBe(false);
    const present = { testsRequired: true, testsMustPass: false };
    expect(testsGate.judge(someFacts({ candidate: undefined, rules: present })).required).toBe(true);
    const failing = someFacts({ candidate: testRun({ a: 'failed' }, { exit: 1 }), rules: present });
    expect(testsGate.judge(failing)).toMatchObject({ result: 'fail', required: false });
  });

  it('fails if passing code asks whether it is being tested, and names what a person can accept', () => {
    const testQuestions = ['src/a.js:3', 'src/a.js:9', 'src/b c.js:1'];
    const passing = someFacts({ candidate: testRun({ a: 'passed' }), testQuestions });
    expect(testsGate.judge(passing)).toMatchObject({
      result: 'fail',
      code: 'asks-if-tested',
      reason: expect.stringContaining('src/a.js:3, src/a.js:9, src/b c.js:1'),
      remedy: expect.stringMatching(/`guardkit accept src\/a\.js`, `guardkit accept 'src\/b c\.js'`/),
    });
    const failing = someFacts({ candidate: testRun({ a: 'failed' }, { exit: 1 }), testQuestions });
    expect(testsGate.judge(failing)).not.toHaveProperty('code', 'asks-if-tested');
  });

  it('fails if values are equal to everything', () => {
    const facts = someFacts({
      candidate: testRun({ a: 'passed' }),
      equalities: ['src/a.py:3', 'src/a.py:4'],
    });
    expect(testsGate.judge(facts)).toMatchObject({
      result: 'fail',
      code: 'equals-everything',
      reason: expect.stringContaining('src/a.py:3'),
      remedy: expect.stringContaining('`guardkit accept src/a.py`'),
    });
  });

  it('fails if the run changed test files that the base leaves alone', () => {
    const candidate = rewritingRun('test/a.test.js', 'test/b.test.js');
    expect(testsGate.judge(someFacts({ candidate, base: rewritingRun('test/a.test.js') }))).toMatchObject({
      result: 'fail',
      code: 'tests-rewritten',
      reason: expect.stringMatching(/: test\/b\.test\.js;/),
    });
    expect(testsGate.judge(someFacts({ candidate, base: candidate })).result).toBe('pass');
  });
});
