import type { TurnState } from '../../domain/entities/turn-state.ts';
import type { AgentUsage } from '../drivers/agent-driver.ts';
import { sumUsage } from './sum-usage.ts';
import { turnRecord } from './turn-record.ts';

/** Past every number that was ever used for the task, those of cut-off and reset turns included. */
export function nextTurnNumber(turns: readonly Pick<TurnState, 'turn_number'>[]): number {
  return turns.reduce((highest, { turn_number }) => Math.max(highest, turn_number), 0) + 1;
}

/** A turn that was under way when its process ended keeps its number and is closed, so that nothing waits for it; `usage` is what it cost till then. */
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
