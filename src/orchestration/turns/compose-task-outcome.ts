import type { TaskOutcome } from '../../domain/entities/task-outcome.ts';
import type { TurnState } from '../../domain/entities/turn-state.ts';
import type { StopOutcome } from './decide-stop.ts';

const OUTCOMES: Record<StopOutcome, TaskOutcome['outcome']> = {
  approved: 'approved',
  escalated: 'escalated',
  max_turns: 'failed',
  budget: 'failed',
};

const MOST_LESSONS = 50;

export function composeTaskOutcome({
  featureId,
  taskId,
  outcome,
  why,
  turns,
  at,
}: {
  featureId: string;
  taskId: string;
  outcome: StopOutcome;
  why: string;
  turns: readonly TurnState[];
  at: string;
}): TaskOutcome {
  const last = turns.at(-1);
  const lessons = turns.flatMap(({ lessons_from_turn }) => lessons_from_turn);
  return {
    feature_id: featureId,
    task_id: taskId,
    outcome: OUTCOMES[outcome],
    summary: [why, last?.player_summary ?? '', last?.progress_summary ?? '']
      .filter((text) => text !== '')
      .join(' '),
    turns: turns.length,
    // The newest: they explain best how the task ended.
    lessons: [...new Set(lessons.filter((lesson) => lesson !== ''))].slice(-MOST_LESSONS),
    files_modified: [...new Set(turns.flatMap(({ files_modified }) => files_modified))].sort(),
    completed_at: at,
  };
}
