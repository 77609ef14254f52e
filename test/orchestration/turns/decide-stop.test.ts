import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TurnState } from '../../../src/domain/entities/turn-state.ts';
import { decideStop, isSameFeedback } from '../../../src/orchestration/turns/decide-stop.ts';
import { aTurn } from '../turn-fixture.ts';

function decide(turns: TurnState[], more: { maxTurns?: number; spentUsd?: number; budgetUsd?: number } = {}) {
  const { maxTurns = 5, spentUsd = 0, budgetUsd } = more;
  return decideStop({
    turns,
    maxTurns,
    spentUsd,
    budgetUsd,
    taskId: 'TASK-AUTH-001',
    featureId: 'FEAT-AUTH',
  });
}

/** Turns numbered from 1, each with unique feedback by default. */
function row(...turns: Record<string, unknown>[]): TurnState[] {
  const own = [
    'Handle empty names',
    'Close the socket',
    'Cover the retry path',
    'Split that module',
    'Say why it fails',
  ];
  return turns.map((turn, index) =>
    aTurn({ turn_number: index + 1, coach_decision: 'feedback', coach_feedback: own[index % 5], ...turn }),
  );
}

const failing = { quality_gate_results: { gates: { tests: 'fail' } }, tests_failed: 2 };
const passing = { quality_gate_results: { gates: { tests: 'pass' } }, tests_failed: 0 };
const notRun = { quality_gate_results: { gates: { tests: 'absent' } } };
const again = { coach_feedback: 'The session times out too early; add a refresh.' };
const scored = (arch_score: number | null) => ({ arch_score, quality_gate_results: { arch_threshold: 60 } });
const verified = (...ids: string[]) => ({
  acceptance_criteria_status: Object.fromEntries(ids.map((id) => [id, 'verified'])),
});

describe('a build continues', () => {
  it.each([
    ['before the first turn', []],
    ['after feedback', row({})],
    ['after a rejection', row({ coach_decision: 'rejected' })],
    ['after a turn without a verdict', row({ coach_decision: null })],
    ['after two failing runs', row(failing, failing)],
    ['when a passing run lies between', row(failing, failing, passing, failing)],
    ['when the same feedback comes twice', row(again, again)],
    ['when other feedback comes in between', row(again, {}, again)],
    ['when a criterion was verified in between', row(again, again, { ...again, ...verified('AC-001') })],
    ['after one low score', row(scored(20))],
    ['when a better score follows', row(scored(20), scored(40))],
    ['when a score is missing', row(scored(null), scored(null))],
    [
      'when a turn was cut off, which does not count',
      [...row({}, {}, {}, {}), aTurn({ turn_number: 5, player_decision: null })],
    ],
    ['when the budget is not yet spent', row({})],
  ])('%s', (_when, turns) => {
    expect(decide(turns, { budgetUsd: 1, spentUsd: 0.99 })).toEqual({ stop: false });
  });
});

describe('a build stops [BUILD-9]', () => {
  it.each([
    ['on an approval', row({}, { coach_decision: 'approved' }), 'approved', 'approved'],
    ['when the Coach hands over', row({ coach_decision: 'escalated' }), 'escalated', 'coach_escalated'],
    [
      'when a criterion cannot be met',
      row({ acceptance_criteria_status: { 'AC-001': 'verified', 'AC-002': 'blocked' } }),
      'escalated',
      'criterion_blocked',
    ],
    ['after three failing runs', row(failing, failing, failing), 'escalated', 'failing_tests'],
    [
      'also with a turn without a run in between',
      row(failing, failing, notRun, failing),
      'escalated',
      'failing_tests',
    ],
    [
      'by the counts if no gate is recorded',
      row({ tests_failed: 1 }, { tests_failed: 1 }, { tests_failed: 2 }),
      'escalated',
      'failing_tests',
    ],
    ['when the same feedback comes three times', row(again, again, again), 'escalated', 'same_feedback'],
    [
      'when there is no verdict three times',
      row(
        ...Array(3).fill({ coach_decision: null, coach_feedback: 'The Coach gave no verdict: timed out.' }),
      ),
      'escalated',
      'same_feedback',
    ],
    [
      'when earlier verified criteria are the only progress',
      row(
        { ...again, ...verified('AC-001') },
        { ...again, ...verified('AC-001') },
        { ...again, ...verified('AC-001') },
      ),
      'escalated',
      'same_feedback',
    ],
    ['on two scores below half the threshold', row(scored(29), scored(12)), 'escalated', 'low_scores'],
    ['after the last turn', row({}, {}, {}, {}, {}), 'max_turns', 'max_turns'],
  ])('%s', (_when, turns, outcome, cause) => {
    expect(decide(turns)).toMatchObject({ stop: true, outcome, cause });
  });

  it('when the budget is spent', () => {
    expect(decide(row({}), { budgetUsd: 1, spentUsd: 1.004 })).toMatchObject({
      outcome: 'budget',
      cause: 'budget',
    });
  });

  it('as approved, even if the budget is spent, the turns are used up and the tests failed before', () => {
    const turns = row(failing, failing, { ...failing, coach_decision: 'approved' });
    expect(decide(turns, { maxTurns: 3, budgetUsd: 1, spentUsd: 9 })).toMatchObject({ outcome: 'approved' });
  });
});

const anyTurn = fc.record({
  coach_decision: fc.constantFrom('approved', 'feedback', 'rejected', 'escalated', null),
  coach_feedback: fc.option(fc.constantFrom('a b c', 'd e f', 'a b c d')),
  tests_failed: fc.option(fc.integer({ min: 0, max: 3 })),
  acceptance_criteria_status: fc.dictionary(
    fc.constantFrom('AC-001', 'AC-002'),
    fc.constantFrom('verified', 'pending', 'blocked'),
  ),
});

it('no build passes its last turn, none is approved but by its last turn, and each stop says what to do', () => {
  fc.assert(
    fc.property(fc.array(anyTurn, { maxLength: 8 }), fc.integer({ min: 1, max: 8 }), (turns, maxTurns) => {
      const all = row(...turns);
      const decision = decide(all, { maxTurns });
      if (all.length >= maxTurns) expect(decision.stop).toBe(true);
      if (!decision.stop) return;
      expect(decision.outcome === 'approved').toBe(all.at(-1)?.coach_decision === 'approved');
      expect(decision.next).toMatch(/guardkit/);
      expect(decision.why.endsWith('.')).toBe(true);
    }),
  );
});

describe('the same feedback', () => {
  it.each([
    ['The session times out.', 'the SESSION times out', true],
    ['Add tests for: login, logout', '- Add tests for login\n- logout', true],
    ['Missing error handling', 'Coverage is too low', false],
    ['', '', false],
    [null, null, false],
  ])('%j and %j: %s', (one, other, same) => {
    expect(isSameFeedback(one, other)).toBe(same);
  });
});
