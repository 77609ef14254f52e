import { describe, expect, it } from 'vitest';
import { testsGate } from '../../../src/verification/gates/tests-gate.ts';
import { someFacts, testRun } from './facts-fixture.ts';

const judge = (...args: Parameters<typeof testRun>) =>
  testsGate.judge(someFacts({ candidate: testRun(...args) }));

describe('[VERIFY-1] the tests gate', () => {
  it('passes when every executed test passed, and tells how many were skipped', () => {
    expect(judge({ a: 'passed', b: 'passed', c: 'skipped', d: 'todo' })).toMatchObject({
      result: 'pass',
      required: true,
      reason: '2 passed',
      warnings: ['2 skipped'],
    });
  });

  it('is absent when a command ends well but names no test', () => {
    expect(judge({})).toMatchObject({
      result: 'absent',
      required: true,
      reason: expect.stringContaining('named no test'),
    });
  });

  it('is absent when everything was skipped', () => {
    expect(judge({ a: 'skipped', b: 'todo' })).toMatchObject({
      result: 'absent',
      reason: expect.stringContaining('all 2'),
    });
  });

  it('fails on one failing test, whatever the exit code says', () => {
    expect(judge({ a: 'passed', b: 'failed' }, { exit: 0 })).toMatchObject({
      result: 'fail',
      reason: '1 of 2 failed: b',
    });
  });

  it('fails on an exit code that is not 0 though every named test passed', () => {
    const judged = judge({ a: 'passed' }, { exit: 1, output_tail: 'tsc: 3 errors\n' });
    expect(judged).toMatchObject({
      result: 'fail',
      reason: 'the test command ended with exit 1: tsc: 3 errors',
    });
  });

  it('fails when the command ran out of time, was ended by a signal, or a file could not be loaded', () => {
    expect(judge({ a: 'passed' }, { exit: null, timed_out: true }).result).toBe('fail');
    expect(judge({ a: 'passed' }, { exit: null, signal: 'SIGKILL' }).reason).toContain('SIGKILL');
    expect(
      judge({ a: 'passed' }, { faults: [{ file: 'x.test.js', message: 'cannot load\nat …' }] }),
    ).toMatchObject({
      result: 'fail',
      reason: 'x.test.js: cannot load',
    });
  });

  it('is absent, and says what to add, where there is no test command', () => {
    expect(testsGate.judge(someFacts({ candidate: undefined }))).toMatchObject({
      result: 'absent',
      required: true,
      reason: expect.stringContaining('verify:'),
    });
  });

  it('is not required of work without tests, and only asks for presence where tests may fail', () => {
    const none = { testsRequired: false, testsMustPass: false };
    expect(testsGate.judge(someFacts({ candidate: undefined, rules: none })).required).toBe(false);
    const present = { testsRequired: true, testsMustPass: false };
    expect(testsGate.judge(someFacts({ candidate: undefined, rules: present })).required).toBe(true);
    const failing = someFacts({ candidate: testRun({ a: 'failed' }, { exit: 1 }), rules: present });
    expect(testsGate.judge(failing)).toMatchObject({ result: 'fail', required: false });
  });
});
