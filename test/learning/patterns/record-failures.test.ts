import { expect, it } from 'vitest';
import { type TurnState, turnStateSchema } from '../../../src/domain/entities/turn-state.ts';
import { findFailures, findFixes } from '../../../src/learning/patterns/record-failures.ts';

function turn(number: number, more: Partial<TurnState> = {}): TurnState {
  return turnStateSchema.parse({
    feature_id: 'FEAT-1',
    task_id: 'TASK-1',
    turn_number: number,
    mode: 'continuing_work',
    coach_decision: 'feedback',
    coach_feedback: 'The total is wrong when the cart is empty; handle that case.',
    player_summary: `Changed things, go ${number}.`,
    completed_at: `2026-03-02T1${number % 10}:00:00.000Z`,
    ...more,
  });
}

const APPROVED: Partial<TurnState> = {
  coach_decision: 'approved',
  coach_feedback: null,
  player_summary: 'Returned zero for an empty cart before summing.',
  files_modified: ['src/cart.js'],
};

it('feedback repeated in three turns or two tasks is a failure pattern', () => {
  const other = turn(1, { task_id: 'TASK-2', feature_id: 'FEAT-2' });
  expect(findFailures([turn(1), turn(2)])).toEqual([]);
  expect(findFailures([turn(1), turn(2), turn(3)])).toMatchObject([{ times: 3, tasks: ['TASK-1'] }]);
  expect(findFailures([turn(1), other])).toMatchObject([
    {
      times: 2,
      tasks: ['TASK-1', 'TASK-2'],
      features: ['FEAT-1', 'FEAT-2'],
      turns: ['TURN-FEAT-1-TASK-1-T1', 'TURN-FEAT-2-TASK-2-T1'],
    },
  ]);
});

it('similar wording counts as the same feedback, other feedback does not', () => {
  const again = turn(2, { coach_feedback: 'Handle that case: when the cart is empty, the total is wrong!' });
  const other = turn(3, { coach_feedback: 'Name the tests after the criteria they show.' });
  expect(findFailures([turn(1), again, other, turn(4)])).toMatchObject([{ times: 3 }]);
});

it('an approved turn, or one without feedback, is not a failure', () => {
  expect(findFailures([1, 2, 3].map((number) => turn(number, APPROVED)))).toEqual([]);
  expect(findFailures([1, 2, 3].map((number) => turn(number, { coach_feedback: ' ' })))).toEqual([]);
});

it('the turn that ends a series of the same feedback is a fix', () => {
  const failed = { quality_gate_results: { gates: { tests: 'fail', coverage: 'pass' } } };
  expect(findFixes([turn(1, failed), turn(2, failed), turn(3, APPROVED)])).toEqual([
    {
      fix_id: 'FIX-FEAT-1-TASK-1-T3',
      feature_id: 'FEAT-1',
      task_id: 'TASK-1',
      turn_number: 3,
      problem: 'The total is wrong when the cart is empty; handle that case.',
      turns_before: 2,
      fix: 'Returned zero for an empty cart before summing.',
      files: ['src/cart.js'],
      gates: ['tests'],
    },
  ]);
});

it('an unfinished series, a single turn or an unjudged one has no fix', () => {
  expect(findFixes([turn(1), turn(2), turn(3)])).toEqual([]);
  expect(findFixes([turn(1), turn(2, APPROVED)])).toEqual([]);
  expect(findFixes([turn(1), turn(2), turn(3, { ...APPROVED, coach_decision: null })])).toEqual([]);
});

it('gates in the format of another program are ignored', () => {
  for (const gates of [null, 'fail', ['tests'], { __proto__: 'fail' }])
    expect(findFailures([1, 2, 3].map((n) => turn(n, { quality_gate_results: { gates } })))).toMatchObject([
      { gates: [] },
    ]);
});
