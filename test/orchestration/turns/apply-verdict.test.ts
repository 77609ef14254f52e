import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CoachVerdict } from '../../../src/domain/entities/agent-answers.ts';
import type { GateResult } from '../../../src/domain/entities/verification.ts';
import { applyVerdict } from '../../../src/orchestration/turns/apply-verdict.ts';
import type { CriterionStates } from '../../../src/orchestration/turns/criterion-status.ts';
import { supportCriteria, updateCriteria } from '../../../src/orchestration/turns/judge-criteria.ts';
import type { TurnEvidence } from '../../../src/orchestration/turns/turn-evidence.ts';
import { runs } from '../../support/thorough.ts';
import { aGate, aVerdict, CRITERIA, someEvidence, TESTS } from '../turn-fixture.ts';

const SHOWN = {
  'AC-001': { status: 'verified', evidence: 'accepts a known user' },
  'AC-002': { status: 'verified', evidence: 'survives a restart' },
  'AC-003': { status: 'verified', evidence: 'refuses the sixth try' },
};

interface Given {
  evidence?: TurnEvidence | undefined;
  criteria?: typeof CRITERIA;
  previous?: CriterionStates;
  archThreshold?: number;
  honesty?: string[];
  noVerdict?: string;
}

function apply(verdict: CoachVerdict | undefined, given: Given = {}) {
  const { criteria = CRITERIA, previous = {}, archThreshold, honesty = [], noVerdict } = given;
  const evidence = 'evidence' in given ? given.evidence : someEvidence();
  const support = supportCriteria(verdict, criteria, evidence);
  const update = updateCriteria({ criteria, previous, support, evidence });
  return applyVerdict({ verdict, noVerdict, evidence, criteria, support, update, archThreshold, honesty });
}

describe('an approval [BUILD-1]', () => {
  it('stands on passing gates, evidence for every criterion and the score', () => {
    const verdict = aVerdict({ criteria: SHOWN, arch_score: 60, feedback: 'Good.' });
    expect(apply(verdict, { archThreshold: 60 })).toEqual({
      decision: 'approved',
      feedback: 'Good.',
      overriddenBecause: [],
    });
  });

  const cases: [string, Record<string, unknown>, Given, RegExp][] = [
    [
      'a gate failed',
      {},
      { evidence: someEvidence({ gates: [aGate('tests', 'fail')] }) },
      /\btests\b.*: it failed$/,
    ],
    [
      'a gate is absent',
      {},
      { evidence: someEvidence({ gates: [aGate('tests'), aGate('coverage', 'absent')] }) },
      /\bcoverage\b.*: it was not run$/,
    ],
    [
      'no gate was required',
      {},
      { evidence: someEvidence({ gates: [aGate('tests', 'pass', { required: false })] }) },
      /./,
    ],
    ['no gate was run', {}, { evidence: undefined }, /./],
    ['no criterion is mentioned', { criteria: {} }, {}, /AC-001 \(User can log in\)/],
    [
      'evidence names nothing real',
      { criteria: { ...SHOWN, 'AC-002': { status: 'verified', evidence: 'all tests pass' } } },
      {},
      /AC-002 \(Session persists\).*"all tests pass"/,
    ],
    [
      'the Coach itself finds one pending',
      { criteria: { ...SHOWN, 'AC-003': { status: 'pending', evidence: 'refuses the sixth try' } } },
      {},
      /AC-003 \(Rate limiting\).*pending/,
    ],
    ['the score is missing', {}, { archThreshold: 60 }, /\b60\b/],
    ['the score is too low', { arch_score: 59.9 }, { archThreshold: 60 }, /\b59\.9\b.*\b60\b/],
    ['the task has no criteria', {}, { criteria: [] }, /./],
  ];

  it.each(cases)('becomes feedback that names what is missing when %s', (_when, said, given, named) => {
    const { decision, feedback, overriddenBecause } = apply(
      aVerdict({ criteria: SHOWN, feedback: 'Looks great to me.', ...said }),
      given,
    );
    expect(decision).toBe('feedback');
    const missing = overriddenBecause.find((text) => named.test(text));
    expect(missing, overriddenBecause.join('\n')).toBeDefined();
    expect(feedback).toContain('Looks great to me.');
    expect(feedback).toContain(`- ${missing}`);
  });

  it('names everything at once, so that no turn is spent on one at a time', () => {
    const gates = [aGate('tests', 'fail'), aGate('coverage', 'absent')];
    const { overriddenBecause } = apply(aVerdict(), { evidence: someEvidence({ gates }), archThreshold: 60 });
    expect(overriddenBecause).toHaveLength(6);
  });

  it('may leave out a criterion that was verified before and whose test still passes', () => {
    const { 'AC-001': _known, ...rest } = SHOWN;
    const previous: CriterionStates = {
      'AC-001': { status: 'verified', evidence: 'login > accepts a known user' },
    };
    expect(apply(aVerdict({ criteria: rest }), { previous }).decision).toBe('approved');
  });

  it('may not leave out one that was verified on nothing that is known, or whose test fails now', () => {
    const { 'AC-001': _known, ...rest } = SHOWN;
    const unknown: CriterionStates = { 'AC-001': { status: 'verified', evidence: null } };
    expect(apply(aVerdict({ criteria: rest }), { previous: unknown }).decision).toBe('feedback');
    const previous: CriterionStates = {
      'AC-001': { status: 'verified', evidence: 'login > accepts a known user' },
    };
    const tests = TESTS.map((test, index) => (index === 0 ? { ...test, status: 'failed' as const } : test));
    const { decision, feedback } = apply(aVerdict({ criteria: rest }), {
      previous,
      evidence: someEvidence({ tests }),
    });
    expect(decision).toBe('feedback');
    expect(feedback).toMatch(/AC-001.*login > accepts a known user/);
  });

  it('tells the Player the false claims in its report', () => {
    const { feedback } = apply(aVerdict(), {
      honesty: ['The report says that 5 tests passed; GuardKit has 3.'],
    });
    expect(feedback).toContain('- The report says that 5 tests passed; GuardKit has 3.');
  });

  it('ignores a gate that is not required', () => {
    const gates = [aGate('tests'), aGate('ui', 'fail', { required: false })];
    expect(apply(aVerdict({ criteria: SHOWN }), { evidence: someEvidence({ gates }) }).decision).toBe(
      'approved',
    );
  });
});

describe('anything but an approval', () => {
  it.each(['feedback', 'rejected', 'escalated'] as const)('%s stays as given', (decision) => {
    expect(apply(aVerdict({ decision, feedback: ' Do it again. ', criteria: SHOWN }))).toEqual({
      decision,
      feedback: 'Do it again.',
      overriddenBecause: [],
    });
  });

  it('a rejection without feedback lists what is missing', () => {
    const { feedback } = apply(aVerdict({ decision: 'rejected' }));
    expect(feedback).toContain('AC-001 (User can log in)');
  });

  it('a missing verdict is no decision, and has a reason', () => {
    expect(apply(undefined, { noVerdict: 'timed out after 600 s' })).toEqual({
      decision: null,
      feedback: expect.stringContaining('timed out after 600 s'),
      overriddenBecause: [expect.stringContaining('timed out after 600 s')],
    });
  });
});

const verdicts = fc
  .record({
    decision: fc.constantFrom('approved', 'feedback', 'rejected', 'escalated'),
    criteria: fc.dictionary(
      fc.constantFrom('AC-001', 'AC-002', 'AC-003', 'AC-1', 'Rate limiting', 'AC-010'),
      fc.record({
        status: fc.constantFrom('verified', 'completed', 'pending', 'rejected', 'blocked'),
        evidence: fc.option(
          fc.constantFrom('accepts a known user', 'survives a restart', 'refuses the sixth try', 'tests', ''),
        ),
      }),
    ),
    arch_score: fc.option(fc.integer({ min: 0, max: 100 })),
    feedback: fc.string(),
  })
  .map((value) => aVerdict(value));

const gates = fc.array(
  fc
    .record({ result: fc.constantFrom('pass', 'fail', 'absent'), required: fc.boolean() })
    .map(({ result, required }) => aGate('tests', result as GateResult['result'], { required })),
  { maxLength: 4 },
);

const testStatuses = fc.array(fc.constantFrom('passed', 'failed', 'skipped'), { minLength: 3, maxLength: 3 });

it('a rejection never becomes an approval, and an approval has all its evidence [BUILD-1]', () => {
  fc.assert(
    fc.property(
      verdicts,
      gates,
      testStatuses,
      fc.option(fc.integer({ min: 0, max: 100 })),
      fc.dictionary(
        fc.constantFrom('AC-001', 'AC-002', 'AC-003'),
        fc.constant({ status: 'verified' as const, evidence: 'accepts a known user' }),
      ),
      (verdict, given, statuses, threshold, previous) => {
        const tests = TESTS.map((test, index) => ({ ...test, status: statuses[index] as 'passed' }));
        const evidence = someEvidence({ gates: given, tests });
        const { decision, overriddenBecause, feedback } = apply(verdict, {
          evidence,
          previous,
          ...(threshold === null ? {} : { archThreshold: threshold }),
        });
        if (verdict.decision !== 'approved') expect(decision).toBe(verdict.decision);
        if (decision === 'approved') {
          expect(verdict.decision).toBe('approved');
          const required = given.filter((gate) => gate.required);
          expect(required.length).toBeGreaterThan(0);
          expect(required.every(({ result }) => result === 'pass')).toBe(true);
          expect(tests.some(({ status }) => status === 'passed')).toBe(true);
          if (threshold !== null) expect(verdict.arch_score ?? -1).toBeGreaterThanOrEqual(threshold);
        } else if (verdict.decision === 'approved') {
          expect(decision).toBe('feedback');
          expect(overriddenBecause.length).toBeGreaterThan(0);
          for (const why of overriddenBecause) expect(feedback).toContain(why);
        }
      },
    ),
    { numRuns: runs(500) },
  );
});

it('without evidence nothing is ever approved [BUILD-1]', () => {
  fc.assert(
    fc.property(verdicts, (verdict) => {
      expect(apply(verdict, { evidence: undefined }).decision).not.toBe('approved');
    }),
  );
});
