import type { TurnState } from '../../domain/entities/turn-state.ts';
import type { BuildEnded } from '../../store/ledger/kinds/sessions/builds.ts';
import { turnRecord } from '../turns/turn-record.ts';
import type { BuildRecord } from './build-record.ts';

/** A summary of an attempt for the next one, or for a person. */
export interface AttemptSummary {
  why: string;
  tried: string;
  gates: string[];
}

const TURNS_TOLD = 3;

/** Composed from recorded turns, so that it is the same after a restart. The most important comes first. */
export function summarizeAttempt(
  record: BuildRecord,
  build: string,
  { outcome, why }: Pick<BuildEnded, 'outcome' | 'why'>,
): AttemptSummary {
  const turns = record.taskIds.flatMap((task) => record.turnsOf(build, task));
  const last = turns.at(-1);
  if (!last || outcome === 'approved') return { why, tried: triedIn(turns), gates: [] };
  const { reasons } = turnRecord(last);
  const told = Object.entries(reasons).map(([gate, reason]) => `${gate}: ${reason}`);
  const said = last.coach_feedback?.trim() ? [`The Coach: ${last.coach_feedback.trim()}`] : [];
  const silent = last.player_decision === 'failed' && told.length === 0 ? [last.player_summary] : [];
  return {
    why: [...told, ...silent, why, ...said].filter((line) => line !== '').join('\n'),
    tried: triedIn(turns),
    gates: Object.keys(reasons),
  };
}

function triedIn(turns: readonly TurnState[]): string {
  return turns
    .slice(-TURNS_TOLD)
    .map(({ task_id, turn_number, player_summary, progress_summary }) => {
      const said = player_summary || progress_summary || 'cut off';
      return `${task_id} turn ${turn_number}: ${said}`;
    })
    .join('\n');
}
