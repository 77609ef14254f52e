import { describe, expect, it } from 'vitest';
import { taskOutcomeSchema } from '../../../src/domain/entities/task-outcome.ts';
import type { TurnState } from '../../../src/domain/entities/turn-state.ts';
import { applyVerdict } from '../../../src/orchestration/turns/apply-verdict.ts';
import { composeTaskOutcome } from '../../../src/orchestration/turns/compose-task-outcome.ts';
import { composeTurnState, type TurnContext } from '../../../src/orchestration/turns/compose-turn-state.ts';
import { supportCriteria, updateCriteria } from '../../../src/orchestration/turns/judge-criteria.ts';
import {
  criterionStates,
  currentStatuses,
  turnRecord,
} from '../../../src/orchestration/turns/turn-record.ts';
import { fillRate } from '../fill-rate.ts';
import { aGate, aReport, aTurn, aVerdict, CRITERIA, someEvidence } from '../turn-fixture.ts';

const BEGUN: TurnContext = {
  featureId: 'FEAT-AUTH',
  taskId: 'TASK-AUTH-001',
  turn: 1,
  mode: 'fresh_start',
  startedAt: '2026-11-15T09:00:00.000Z',
  criteria: CRITERIA,
};

const PLAYED: TurnContext = {
  ...BEGUN,
  player: { report: aReport({ summary: 'Added the login.' }) },
  files: ['src/login.js', 'test/login.test.js'],
  usage: [
    { inputTokens: 1000, outputTokens: 200, costUsd: 0.25 },
    { inputTokens: 500, outputTokens: 100, costUsd: null },
  ],
};

function judged(verdict = aVerdict(), evidence = someEvidence(), history: TurnState[] = []) {
  const support = supportCriteria(verdict, CRITERIA, evidence);
  const update = updateCriteria({
    criteria: CRITERIA,
    previous: criterionStates(history),
    support,
    evidence,
  });
  const rest = { evidence, criteria: CRITERIA, support, update, archThreshold: 60, honesty: [] };
  return { verdict, update, applied: applyVerdict({ verdict, noVerdict: undefined, ...rest }) };
}

const WEAK = someEvidence({
  gates: [aGate('change'), aGate('tests'), aGate('coverage', 'fail', { reason: '41% of changed lines' })],
});
const CLAIMED = 'The report says that 5 tests passed; GuardKit has 3.';
const LOGIN_SHOWN = { 'AC-001': { status: 'verified', evidence: 'accepts a known user' } };

describe('a recorded turn [BUILD-7]', () => {
  it('has every field filled from what happened', () => {
    const turn = composeTurnState({
      ...PLAYED,
      evidence: WEAK,
      honesty: [CLAIMED],
      judged: judged(aVerdict({ criteria: LOGIN_SHOWN, arch_score: 80 }), WEAK),
      archThreshold: 60,
      completedAt: '2026-11-15T09:02:05.500Z',
    });
    expect(turn).toEqual({
      feature_id: 'FEAT-AUTH',
      task_id: 'TASK-AUTH-001',
      turn_number: 1,
      mode: 'fresh_start',
      player_decision: 'implemented',
      player_summary: 'Added the login.',
      coach_decision: 'feedback',
      coach_feedback: expect.stringMatching(/41% of changed lines[\s\S]*AC-002[\s\S]*AC-003/),
      acceptance_criteria_status: { 'AC-001': 'verified', 'AC-002': 'pending', 'AC-003': 'pending' },
      arch_score: 80,
      blockers_found: [],
      coverage: 91.5,
      tests_passed: 3,
      tests_failed: 0,
      files_modified: ['src/login.js', 'test/login.test.js'],
      lessons_from_turn: [expect.stringContaining('41% of changed lines'), CLAIMED],
      progress_summary: expect.stringMatching(/\b1\b.*\b3\b.*\bcoverage\b/),
      what_to_try_next: expect.stringMatching(/\bcoverage\b.*41% of changed lines/),
      started_at: '2026-11-15T09:00:00.000Z',
      completed_at: '2026-11-15T09:02:05.500Z',
      duration_seconds: 126,
      quality_gate_results: {
        outcome: 'fail',
        tree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
        verification: 'VER-0123456789ab',
        gates: { change: 'pass', tests: 'pass', coverage: 'fail' },
        reasons: { coverage: '41% of changed lines' },
        overridden_because: [
          expect.stringMatching(/\bcoverage\b.*41% of changed lines/),
          expect.stringContaining('AC-002'),
          expect.stringContaining('AC-003'),
        ],
        arch_threshold: 60,
        criteria_evidence: { 'AC-001': 'login > accepts a known user' },
        criteria_texts: {
          'AC-001': 'ff74558772d7c0a0',
          'AC-002': 'd387f02c6f6e5cd5',
          'AC-003': 'fc696d8a7a0a30c0',
        },
        honesty: [CLAIMED],
        regressions: [],
        put_back: [],
        refused: 0,
        cost_usd: 0.25,
        input_tokens: 1500,
        output_tokens: 300,
      },
    });
    expect(fillRate([turn])).toEqual({ rate: 1, empty: [] });
  });

  it('has the texts of Coach and Player, if they gave any', () => {
    const turn = composeTurnState({
      ...PLAYED,
      player: {
        report: aReport({ progress: 'Half way.', lessons: ['One', 'Two'], blockers: ['No database'] }),
      },
      evidence: WEAK,
      judged: judged(
        aVerdict({
          decision: 'feedback',
          feedback: 'Go on.',
          lessons: ['Three', 'One'],
          what_to_try_next: 'Cover retries',
        }),
      ),
      completedAt: '2026-11-15T09:02:00.000Z',
    });
    expect(turn).toMatchObject({
      player_summary: expect.stringMatching(/src\/login\.js.*test\/login\.test\.js/),
      progress_summary: 'Half way.',
      lessons_from_turn: ['Three', 'One', 'Two'],
      blockers_found: ['No database'],
      what_to_try_next: 'Cover retries',
    });
  });

  it('that has only begun has no more fields, and keeps the criteria', () => {
    const turn = composeTurnState({ ...BEGUN, statusesBefore: { 'AC-001': 'verified' } });
    expect(turn).toMatchObject({
      player_decision: null,
      coach_decision: null,
      completed_at: null,
      acceptance_criteria_status: { 'AC-001': 'verified' },
    });
  });

  it('whose Player gave no report has failed, with the reason', () => {
    const turn = composeTurnState({
      ...PLAYED,
      player: { noReport: 'crashed: exit 1' },
      completedAt: '2026-11-15T09:02:00.000Z',
    });
    expect(turn).toMatchObject({
      player_decision: 'failed',
      player_summary: expect.stringContaining('crashed: exit 1'),
      blockers_found: [expect.stringContaining('crashed: exit 1')],
      progress_summary: expect.stringMatching(/\b0\b.*\b3\b/),
    });
    expect(fillRate([turn]).empty).toEqual([]);
  });

  it('names the first open criterion as the next focus if all gates passed', () => {
    const { what_to_try_next } = composeTurnState({
      ...PLAYED,
      evidence: someEvidence(),
      judged: judged(aVerdict({ criteria: LOGIN_SHOWN })),
    });
    expect(what_to_try_next).toContain('AC-002 (Session persists)');
  });

  it('limits the length of an agent’s text', () => {
    const turn = composeTurnState({
      ...PLAYED,
      player: {
        report: aReport({
          summary: 'x'.repeat(1_000_000),
          lessons: Array(5000)
            .fill(0)
            .map((_, index) => `lesson ${index} ${'y'.repeat(5000)}`),
        }),
      },
    });
    expect(JSON.stringify(turn).length).toBeLessThan(100_000);
    expect(turn.player_summary).toMatch(/^x+\D+\d{6}\D+$/);
  });

  it('has times that go forward, even if the clock went back', () => {
    expect(composeTurnState({ ...PLAYED, completedAt: '2026-11-15T08:59:00.000Z' }).duration_seconds).toBe(0);
  });
});

describe('the criteria through recorded turns', () => {
  const first = composeTurnState({
    ...PLAYED,
    evidence: WEAK,
    judged: judged(aVerdict({ criteria: LOGIN_SHOWN }), WEAK),
  });

  it('are restored with their evidence', () => {
    expect(criterionStates([first])['AC-001']).toMatchObject({
      status: 'verified',
      evidence: 'login > accepts a known user',
    });
  });

  it('keep their evidence over a turn that was not judged', () => {
    const states = criterionStates([first]);
    const crashed = composeTurnState({
      ...PLAYED,
      turn: 2,
      player: { noReport: 'timed out' },
      statusesBefore: currentStatuses(states, CRITERIA),
    });
    expect(criterionStates([first, crashed])).toEqual(states);
  });

  it('are pending again when their text changes', () => {
    const criteria = [{ id: 'AC-001', text: 'User can log in with a passkey' }];
    const previous = criterionStates([first]);
    expect(currentStatuses(previous, criteria)).toEqual({ 'AC-001': 'pending' });
    const support = supportCriteria(undefined, criteria, WEAK);
    expect(updateCriteria({ criteria, previous, support, evidence: WEAK })).toMatchObject({
      reopened: ['AC-001'],
      statuses: { 'AC-001': 'pending' },
    });
  });

  it('stay when only case and spaces changed', () => {
    const criteria = [{ id: 'AC-001', text: 'user can **log in**.' }];
    expect(currentStatuses(criterionStates([first]), criteria)).toEqual({ 'AC-001': 'verified' });
  });

  it('of turns that another program wrote are read as far as possible', () => {
    const foreign = aTurn({
      quality_gate_results: { gates: 'all fine', tests: true },
      acceptance_criteria_status: { 'AC-001': 'completed' },
    });
    expect(turnRecord(foreign)).toMatchObject({ gates: {}, outcome: 'absent' });
    expect(criterionStates([foreign])['AC-001']).toMatchObject({ status: 'verified', evidence: null });
  });
});

describe('the fill rate', () => {
  it('names each knowable field that is empty', () => {
    const hollow = aTurn({
      coach_decision: 'rejected',
      completed_at: '2026-11-15T09:00:00Z',
      quality_gate_results: { tree: 'abc', gates: { tests: 'pass', coverage: 'fail', change: 'pass' } },
    });
    const { rate, empty } = fillRate([hollow]);
    expect(rate).toBeLessThan(0.5);
    expect(empty.map(({ field }) => field)).toEqual([
      'started_at',
      'duration_seconds',
      'progress_summary',
      'player_summary',
      'acceptance_criteria_status',
      'files_modified',
      'tests_passed',
      'tests_failed',
      'coverage',
      'coach_feedback',
      'what_to_try_next',
      'lessons_from_turn',
    ]);
    expect(empty[0]?.turn).toBe('TURN-FEAT-AUTH-TASK-AUTH-001-T1');
  });

  it('of no turns is 1', () => {
    expect(fillRate([])).toEqual({ rate: 1, empty: [] });
  });
});

it('a finished task has the files and lessons of all its turns', () => {
  const turns = [
    aTurn({ files_modified: ['b.js', 'a.js'], lessons_from_turn: ['One'] }),
    aTurn({
      turn_number: 2,
      files_modified: ['a.js'],
      lessons_from_turn: ['One', 'Two'],
      player_summary: 'Done.',
    }),
  ];
  const outcome = composeTaskOutcome({
    featureId: 'FEAT-AUTH',
    taskId: 'TASK-AUTH-001',
    outcome: 'max_turns',
    why: '2 turns were taken.',
    turns,
    at: '2026-11-15T09:00:00.000Z',
  });
  expect(taskOutcomeSchema.parse(outcome)).toMatchObject({
    outcome: 'failed',
    summary: '2 turns were taken. Done.',
    turns: 2,
    lessons: ['One', 'Two'],
    files_modified: ['a.js', 'b.js'],
  });
});
