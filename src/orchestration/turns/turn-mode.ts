import type { TurnState } from '../../domain/entities/turn-state.ts';

export type TurnMode = TurnState['mode'];

/** A turn that ended with nobody there to say so: neither Player nor Coach is recorded. */
export function wasCutOff({ player_decision, coach_decision }: TurnState): boolean {
  return player_decision === null && coach_decision === null;
}

/** How the next turn starts. `resumed` holds for the first turn after `--resume`, `reset` for the first after `task reset`. */
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
