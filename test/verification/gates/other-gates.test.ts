import { describe, expect, it } from 'vitest';
import { changeGate } from '../../../src/verification/gates/change-gate.ts';
import { checksGate } from '../../../src/verification/gates/checks-gate.ts';
import { GATES, judgeGates } from '../../../src/verification/gates/gates.ts';
import { harnessGate } from '../../../src/verification/gates/harness-gate.ts';
import { nonEmptyGate } from '../../../src/verification/gates/non-empty-gate.ts';
import { uiGate } from '../../../src/verification/gates/ui-gate.ts';
import { outcomeOf } from '../../../src/verification/verify.ts';
import { checkRun, someFacts } from './facts-fixture.ts';

describe('the change gate', () => {
  it('passes when a file differs from the base', () => {
    expect(changeGate.judge(someFacts())).toMatchObject({ result: 'pass', reason: '1 changed: b.js' });
  });

  it('is absent without a difference, unless work without tests has a passing check', () => {
    const check = checkRun({ name: 'links' }, 'pass');
    expect(changeGate.judge(someFacts({ changes: [] })).result).toBe('absent');
    expect(changeGate.judge(someFacts({ changes: [], checks: [check] })).result).toBe('absent');
    const rules = { testsRequired: false };
    expect(changeGate.judge(someFacts({ changes: [], checks: [check], rules })).result).toBe('pass');
    expect(
      changeGate.judge(someFacts({ changes: [], checks: [checkRun({ name: 'links' }, 'fail')], rules }))
        .result,
    ).toBe('absent');
  });
});

describe('[VERIFY-3] the harness gate', () => {
  const change = {
    type: 'changed',
    path: 'package.json',
    part: 'scripts.test',
    before: 'a',
    after: 'b',
    words: 'x',
    accepted: false,
  } as const;

  it('fails when the harness changed, with the line and how to accept it', () => {
    const { result, required, reason } = harnessGate.judge(someFacts({ harness: [{ ...change, line: 7 }] }));
    expect({ result, required }).toEqual({ result: 'fail', required: true });
    expect(reason).toMatch(/package\.json:7\b.*scripts\.test.*"a".*"b"/);
    expect(reason).toContain('`guardkit accept package.json`');
  });

  it('passes when a person accepted all changes, and reports that', () => {
    expect(harnessGate.judge(someFacts({ harness: [{ ...change, accepted: true }] }))).toMatchObject({
      result: 'pass',
    });
    expect(
      harnessGate.judge(someFacts({ harness: [change, { ...change, path: 'b', accepted: true }] })).result,
    ).toBe('fail');
  });
});

describe('the checks gate', () => {
  it('requires all checks, the health check first', () => {
    const good = checkRun({ name: 'lint' }, 'pass');
    expect(checksGate.judge(someFacts({ checks: [good] })).result).toBe('pass');
    expect(
      checksGate.judge(someFacts({ checks: [good], health: checkRun({ name: 'health' }, 'fail', 'exit 1') })),
    ).toMatchObject({
      result: 'fail',
      required: true,
      reason: 'health: exit 1',
    });
    expect(checksGate.judge(someFacts({ checks: [good, checkRun({ name: 'e2e' }, 'absent')] })).result).toBe(
      'absent',
    );
    expect(checksGate.judge(someFacts())).toMatchObject({ result: 'absent', required: false });
  });

  it('is absent and required if the set-up failed, even if no test is required', () => {
    const facts = someFacts({ notRun: 'the set-up failed (exit 1)' });
    expect(checksGate.judge(facts)).toMatchObject({ result: 'absent', required: true, reason: facts.notRun });
  });

  it('names the empty value of a check for data', () => {
    const empty = checkRun(
      { name: 'users', expect: { non_empty: '$.users' } },
      'fail',
      '$.users was empty ([])',
    );
    expect(nonEmptyGate.judge(someFacts({ checks: [empty] }))).toMatchObject({
      result: 'fail',
      required: true,
      reason: 'users: $.users was empty ([])',
    });
    expect(nonEmptyGate.judge(someFacts({ checks: [checkRun({ name: 'lint' }, 'fail')] }))).toMatchObject({
      required: false,
    });
  });

  it('requires a browser check for a user interface only', () => {
    expect(uiGate.judge(someFacts())).toMatchObject({ result: 'absent', required: false });
    expect(uiGate.judge(someFacts({ rules: { ui: true } }))).toMatchObject({
      result: 'absent',
      required: true,
    });
    const page = checkRun({ name: 'page', browser: 'http://127.0.0.1:1/' }, 'pass');
    expect(uiGate.judge(someFacts({ rules: { ui: true }, checks: [page] })).result).toBe('pass');
    const command = checkRun({ name: 'lint' }, 'pass');
    expect(uiGate.judge(someFacts({ rules: { ui: true }, checks: [command] })).result).toBe('absent');
  });
});

describe('all gates together', () => {
  it('are judged once each, under distinct names', () => {
    const names = judgeGates(someFacts()).map(({ gate }) => gate);
    expect(names).toEqual(GATES.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  });

  it('pass only if every required one passes; absent is not passed', () => {
    const gate = { gate: 'x', required: true, reason: '', warnings: [], manual: false, evidence: [] };
    expect(outcomeOf([])).toBe('absent');
    expect(outcomeOf([{ ...gate, result: 'pass' }])).toBe('pass');
    expect(
      outcomeOf([
        { ...gate, result: 'pass' },
        { ...gate, result: 'absent' },
      ]),
    ).toBe('absent');
    expect(
      outcomeOf([
        { ...gate, result: 'fail' },
        { ...gate, result: 'absent' },
      ]),
    ).toBe('fail');
    expect(
      outcomeOf([
        { ...gate, result: 'pass' },
        { ...gate, result: 'fail', required: false },
      ]),
    ).toBe('pass');
  });
});
