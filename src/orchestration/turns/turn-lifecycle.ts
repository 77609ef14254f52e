import type { TurnState } from '../../domain/entities/turn-state.ts';
import type { AgentUsage } from '../drivers/agent-driver.ts';
import { sumUsage, turnRecord } from './turn-record.ts';

export type TurnMode = TurnState['mode'];

/** Whether the turn's process ended before Player or Coach was recorded. */
export function wasCutOff({ player_decision, coach_decision }: TurnState): boolean {
  return player_decision === null && coach_decision === null;
}

/** How the next turn starts. `resumed` is set for the first turn after `--resume`, `reset` for the first after `task reset`. */
export function turnMode({
  turns,
  resumed,
  reset,
}: {
  turns: readonly TurnState[];
  resumed: boolean;
  reset: boolean;
}): TurnMode {
  if (reset) return 'fresh_start';
  const last = turns.at(-1);
  if (resumed || (last && wasCutOff(last))) return 'recovering_state';
  return last ? 'continuing_work' : 'fresh_start';
}

/** One more than the highest number ever used for the task, including cut-off and reset turns. */
export function nextTurnNumber(turns: readonly Pick<TurnState, 'turn_number'>[]): number {
  return turns.reduce((highest, { turn_number }) => Math.max(highest, turn_number), 0) + 1;
}

/** Closes a turn whose process ended, so that nothing waits for it; `usage` is its cost so far. */
export function closeTurn(turn: TurnState, at: string, usage: readonly AgentUsage[]): TurnState {
  if (turn.completed_at !== null) return turn;
  const started = turn.started_at === null ? Number.NaN : Date.parse(turn.started_at);
  const seconds = Math.round((Date.parse(at) - started) / 1000);
  return {
    ...turn,
    quality_gate_results: { ...turnRecord(turn), ...sumUsage(usage) },
    completed_at: at,
    duration_seconds: seconds >= 0 ? seconds : null,
    progress_summary: turn.progress_summary || 'The turn was cut off before it was judged.',
  };
}
