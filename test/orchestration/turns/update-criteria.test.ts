import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CriterionStates } from '../../../src/orchestration/turns/criterion-status.ts';
import {
  type JudgedCriterion,
  supportCriteria,
  updateCriteria,
} from '../../../src/orchestration/turns/judge-criteria.ts';
import type { TurnEvidence } from '../../../src/orchestration/turns/turn-evidence.ts';
import { aVerdict, CRITERIA, someEvidence, TESTS } from '../turn-fixture.ts';

const VERIFIED: CriterionStates = {
  'AC-001': { status: 'verified', evidence: 'login > accepts a known user' },
};

function update(
  said: Record<string, unknown>,
  given: {
    previous?: CriterionStates;
    criteria?: JudgedCriterion[];
    evidence?: TurnEvidence | undefined;
  } = {},
) {
  const { previous = VERIFIED, criteria = CRITERIA } = given;
  const evidence = 'evidence' in given ? given.evidence : someEvidence();
  const support = supportCriteria(aVerdict({ decision: 'feedback', criteria: said }), criteria, evidence);
  return updateCriteria({ criteria, previous, support, evidence });
}

describe('the criteria ledger [BUILD-5]', () => {
  it('a verified criterion stays verified when the next turn does not mention it', () => {
    expect(update({})).toMatchObject({
      statuses: { 'AC-001': 'verified', 'AC-002': 'pending', 'AC-003': 'pending' },
      regressions: [],
      newlyVerified: [],
    });
  });

  it.each(['pending', 'in_progress', 'verified'])('and when it is called %s without evidence', (status) => {
    expect(update({ 'AC-001': { status, evidence: 'tests' } }).statuses['AC-001']).toBe('verified');
  });

  it.each(['rejected', 'failed'])('a Coach that finds it %s moves it back, with the reason', (status) => {
    const { statuses, regressions } = update({ 'AC-001': { status } });
    expect(statuses['AC-001']).toBe('rejected');
    expect(regressions).toEqual([{ id: 'AC-001', why: expect.stringContaining(status) }]);
  });

  it('a criterion that is found to be impossible is blocked', () => {
    expect(update({ 'AC-001': { status: 'blocked' } }).statuses['AC-001']).toBe('blocked');
  });

  it.each([
    ['fails', { status: 'failed' as const }],
    ['is skipped', { status: 'skipped' as const }],
    ['is gone', { name: 'another' }],
  ])('it is rejected when the test that showed it %s', (_how, change) => {
    const tests = TESTS.map((test, index) => (index === 0 ? { ...test, ...change } : test));
    const { statuses, regressions } = update({}, { evidence: someEvidence({ tests }) });
    expect(statuses['AC-001']).toBe('rejected');
    expect(regressions[0]?.why).toContain('login > accepts a known user');
  });

  it('another passing test may prove it instead', () => {
    const tests = [{ name: 'login > lets a known user in', status: 'passed' as const }];
    const said = { 'AC-001': { status: 'verified', evidence: 'lets a known user in' } };
    const { states, regressions } = update(said, { evidence: someEvidence({ tests }) });
    expect(states['AC-001']).toMatchObject({ status: 'verified', evidence: 'login > lets a known user in' });
    expect(regressions).toEqual([]);
  });

  it('it stays verified if no test ran', () => {
    expect(update({}, { evidence: undefined }).statuses['AC-001']).toBe('verified');
    expect(update({}, { evidence: someEvidence({ tests: [] }) }).statuses['AC-001']).toBe('verified');
  });

  it('a claim without evidence is in progress, not verified', () => {
    const { statuses, newlyVerified } = update({ 'AC-002': { status: 'verified', evidence: 'all tests' } });
    expect(statuses['AC-002']).toBe('in_progress');
    expect(newlyVerified).toEqual([]);
  });

  it('a claim with evidence is verified, and new', () => {
    expect(update({ 'AC-002': { status: 'completed', evidence: 'survives a restart' } })).toMatchObject({
      statuses: { 'AC-002': 'verified' },
      newlyVerified: ['AC-002'],
    });
  });

  it('a criterion whose text changed loses its verification', () => {
    const criteria = [{ id: 'AC-001', text: 'User can log out', previousText: 'User can log in' }];
    expect(update({}, { criteria })).toMatchObject({
      statuses: { 'AC-001': 'pending' },
      reopened: ['AC-001'],
      regressions: [],
    });
  });

  it('criteria that the Coach invents are listed and not stored', () => {
    const { statuses, unknown } = update({
      'AC-077': { status: 'verified', evidence: 'accepts a known user' },
    });
    expect(unknown).toEqual(['AC-077']);
    expect(Object.keys(statuses)).toEqual(['AC-001', 'AC-002', 'AC-003']);
  });
});

const status = fc.constantFrom('verified', 'in_progress', 'pending', 'rejected', 'failed', 'blocked');
const evidenceName = fc.option(
  fc.constantFrom('accepts a known user', 'survives a restart', 'tests', '', 'no such test', 'src/login.js'),
);
const said = fc.dictionary(
  fc.constantFrom('AC-001', 'AC-002', 'AC-003', 'AC-009', 'Session persists'),
  fc.record({ status, evidence: evidenceName }),
);

it('for any verdict, only a passing test verifies a criterion [BUILD-1][BUILD-5]', () => {
  fc.assert(
    fc.property(
      said,
      fc.array(fc.constantFrom('passed', 'failed', 'skipped'), { minLength: 3, maxLength: 3 }),
      (claims, results) => {
        const tests = TESTS.map((test, index) => ({ ...test, status: results[index] as 'passed' }));
        const passed = new Set(tests.filter((test) => test.status === 'passed').map(({ name }) => name));
        const { states, newlyVerified } = update(claims, { previous: {}, evidence: someEvidence({ tests }) });
        for (const id of newlyVerified) expect(passed).toContain(states[id]?.evidence);
      },
    ),
  );
});

it('applying the same verdict again changes nothing', () => {
  fc.assert(
    fc.property(said, (claims) => {
      const once = update(claims, { previous: {} });
      const twice = update(claims, { previous: once.states });
      expect(twice.statuses).toEqual(once.statuses);
      expect(twice.newlyVerified).toEqual([]);
    }),
  );
});
