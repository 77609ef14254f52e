import type { TurnState } from '../../domain/entities/turn-state.ts';

/**
 * The turns that are told in full and those that are told in a line. The last one is told in full; where it was never
 * judged, so is the last that was, since its feedback is still to be addressed.
 */
export function splitTurns(turns: readonly TurnState[]): { previous: TurnState[]; earlier: TurnState[] } {
  const last = turns.at(-1);
  if (!last) return { previous: [], earlier: [] };
  const judged = turns.findLast(({ coach_decision }) => coach_decision !== null);
  const previous = judged && judged !== last ? [judged, last] : [last];
  return { previous, earlier: turns.filter((turn) => !previous.includes(turn)) };
}
