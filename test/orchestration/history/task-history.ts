import type { TurnState } from '../../../src/domain/entities/turn-state.ts';
import type { Verification } from '../../../src/domain/entities/verification.ts';
import type { DoneStep } from '../../../src/orchestration/feature-build/build-record.ts';
import type { TaskHistory } from '../../../src/orchestration/history/task-timeline.ts';
import { aTurn } from '../turn-fixture.ts';

export function aHistory(turns: readonly TurnState[], more: Partial<TaskHistory> = {}): TaskHistory {
  return {
    featureId: 'FEAT-AUTH',
    taskId: 'TASK-AUTH-001',
    turns,
    steps: [],
    resetAfter: 0,
    outcome: undefined,
    verifications: new Map<string, Verification>(),
    ...more,
  };
}

/** A judged turn with its gate results and the Coach's answer. */
export function judged(
  number: number,
  more: Record<string, unknown> = {},
  record: Record<string, unknown> = {},
) {
  return aTurn({
    turn_number: number,
    player_summary: `Try ${number}`,
    coach_decision: 'feedback',
    completed_at: '2026-01-01T00:10:00Z',
    quality_gate_results: {
      verification: `VER-${number}`,
      outcome: 'pass',
      gates: { tests: 'pass' },
      ...record,
    },
    ...more,
  });
}

/** Steps of a turn, by the second at which each was done. */
export function steps(
  turn: number,
  at: Partial<Record<DoneStep['step'], number>>,
  data: Partial<Record<DoneStep['step'], DoneStep['data']>> = {},
): DoneStep[] {
  return (Object.entries(at) as [DoneStep['step'], number][]).map(([step, second]) => ({
    build: 'BUILD-1',
    turn,
    step,
    data: data[step] ?? {},
    at: new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString(),
  }));
}
