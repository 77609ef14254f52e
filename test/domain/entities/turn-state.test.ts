import { describe, expect, it } from 'vitest';
import {
  coachDecisionSchema,
  criterionStatusSchema,
  turnModeSchema,
  turnState,
  turnStateId,
  turnStateSchema,
} from '../../../src/domain/entities/turn-state.ts';

const TURN = { feature_id: 'FEAT-AUTH', task_id: 'TASK-AUTH-001', turn_number: 2, mode: 'continuing_work' };

function parse(more: Record<string, unknown> = {}) {
  return turnStateSchema.parse({ ...TURN, ...more });
}

function faults(more: Record<string, unknown>): string[] {
  const result = turnStateSchema.safeParse({ ...TURN, ...more });
  return result.success ? [] : result.error.issues.map(({ path }) => path.join('.'));
}

describe('the words of a turn', () => {
  it.each([
    ['approve', 'approved'],
    ['revise', 'feedback'],
    ['reject', 'rejected'],
    ['escalate', 'escalated'],
    ['approved', 'approved'],
    ['FEEDBACK', 'feedback'],
  ])('of the Coach: %s is kept as %s', (said, kept) => {
    expect(coachDecisionSchema.parse(said)).toBe(kept);
  });

  it.each([
    ['completed', 'verified'],
    ['not_started', 'pending'],
    ['in_progress', 'in_progress'],
    ['blocked', 'blocked'],
  ])('of a criterion: %s is kept as %s', (said, kept) => {
    expect(criterionStatusSchema.parse(said)).toBe(kept);
  });

  it.each(['FRESH_START', 'Continuing_Work', 'recovering_state'])('of its mode: %s in any case', (said) => {
    expect(turnModeSchema.parse(said)).toBe(said.toLowerCase());
  });

  it.each(['maybe', '', 'toString', '__proto__', 1, null])('%j is none of the Coach’s words', (said) => {
    expect(coachDecisionSchema.safeParse(said).success).toBe(false);
  });
});

describe('the criteria of a turn', () => {
  it('are kept by id where the key has one, else by their text', () => {
    const { acceptance_criteria_status } = parse({
      acceptance_criteria_status: {
        'AC-001: User can log in': 'completed',
        'AC-002': 'in_progress',
        'SEC-12: No secrets': 'rejected',
        'Rate limiting works': 'not_started',
        'Note: not an id': 'pending',
      },
    });
    expect(acceptance_criteria_status).toEqual({
      'AC-001': 'verified',
      'AC-002': 'in_progress',
      'SEC-12': 'rejected',
      'Rate limiting works': 'pending',
      'Note: not an id': 'pending',
    });
  });

  it('with a status that is not known are named by their path', () => {
    expect(faults({ acceptance_criteria_status: { 'AC-001: x': 'done-ish' } })).toEqual([
      'acceptance_criteria_status.AC-001',
    ]);
  });
});

describe('a turn', () => {
  it('parses to the same value again [MEM-3]', () => {
    const once = parse({ coach_decision: 'revise', acceptance_criteria_status: { 'AC-1: x': 'completed' } });
    expect(turnStateSchema.parse(once)).toEqual(once);
  });

  it('may have the guide’s id, type and time', () => {
    const turn = parse({
      id: 'TURN-FEAT-AUTH-2',
      entity_type: 'turn_state',
      timestamp: '2026-11-15T09:30:00Z',
    });
    expect(turn.timestamp).toBe('2026-11-15T09:30:00.000Z');
    expect(turn.completed_at).toBe(turn.timestamp);
    expect(turn).not.toHaveProperty('id');
    expect(turn).not.toHaveProperty('entity_type');
    expect(turnStateSchema.parse(turn)).toEqual(turn);
    expect(faults({ entity_type: 'role_constraints' })).not.toEqual([]);
  });

  it('keeps both of its times', () => {
    const completed_at = '2026-11-15T09:29:59.000Z';
    const timestamp = '2026-11-15T09:30:00.000Z';
    expect(parse({ completed_at, timestamp })).toMatchObject({ completed_at, timestamp });
  });

  it('from before it had a timestamp is read as it was stored', () => {
    const { completed_at, ...turn } = parse({ completed_at: '2026-11-15T09:30:00Z' });
    expect(completed_at).toBe('2026-11-15T09:30:00.000Z');
    expect(turn).not.toHaveProperty('timestamp');
  });

  it('that has just started has no decisions yet', () => {
    expect(parse()).toMatchObject({ player_decision: null, coach_decision: null, tests_passed: null });
  });

  it.each([
    [{ turn_number: 0 }, 'turn_number'],
    [{ turn_number: 1.5 }, 'turn_number'],
    [{ coverage: 101 }, 'coverage'],
    [{ arch_score: -1 }, 'arch_score'],
    [{ tests_failed: -1 }, 'tests_failed'],
    [{ feature_id: 'has space' }, 'feature_id'],
    [{ task_id: '../up' }, 'task_id'],
    [{ completed_at: 'yesterday' }, 'completed_at'],
    [{ mode: 'sideways' }, 'mode'],
  ])('with %j is refused at %s [MEM-6]', (more, path) => {
    expect(faults(more)).toEqual([path]);
  });

  it('with a misspelt field is refused rather than stored without it [MEM-6]', () => {
    expect(turnStateSchema.safeParse({ ...TURN, coach_desicion: 'approved' }).success).toBe(false);
  });

  it('has an id that names feature, task and number', () => {
    expect(turnStateId('FEAT-AUTH', 'TASK-AUTH-001', 2)).toBe('TURN-FEAT-AUTH-TASK-AUTH-001-T2');
    expect(turnState.id?.(parse())).toBe('TURN-FEAT-AUTH-TASK-AUTH-001-T2');
  });

  it.each([
    ['TURN-FEAT-AUTH-2', { feature_id: 'FEAT-AUTH', turn_number: 2 }],
    ['TURN-F-10', { feature_id: 'F', turn_number: 10 }],
    ['TURN-FEAT-AUTH-TASK-AUTH-001-T2', undefined],
    ['TURN-2', undefined],
    ['ROLE-player', undefined],
  ])('by the short id %s is looked up by %j', (id, filter) => {
    expect(turnState.idFilter?.(id)).toEqual(filter);
  });

  it('has a text with a summary line first, then all its content', () => {
    const [first, ...more] = turnState
      .text(parse({ coach_decision: 'rejected', player_decision: 'implemented', blockers_found: ['No key'] }))
      .split('\n');
    expect(first).toBe(
      'turn_state FEAT-AUTH TASK-AUTH-001 turn 2: coach_decision=rejected player_decision=implemented mode=continuing_work',
    );
    expect(more).toContain('blockers: No key');
  });

  it('is of its task and part of its feature', () => {
    expect(turnState.relations?.(parse())).toEqual([
      { relation: 'turn_of', to: 'TASK-AUTH-001' },
      { relation: 'part_of', to: 'FEAT-AUTH' },
    ]);
  });
});
