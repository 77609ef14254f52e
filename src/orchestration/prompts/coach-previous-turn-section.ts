import type { TurnState } from '../../domain/entities/turn-state.ts';
import { oneLine } from '../../domain/json/clean-text.ts';
import { fitList } from '../../rules/fit-list.ts';

const LONGEST = 2000;

/** What the Coach is told of the turn before, in four lines. */
export function coachPreviousTurnSection(previous: TurnState, maxTurns: number): string {
  const statuses = Object.entries(previous.acceptance_criteria_status).map(
    ([id, status]) => `${oneLine(id, 200)}: ${status}`,
  );
  const blockers = previous.blockers_found.map((blocker) => oneLine(blocker, 300));
  const feedback = oneLine(previous.coach_feedback ?? '', LONGEST);
  return [
    `## Previous Turn Context (Turn ${previous.turn_number} of ${maxTurns})`,
    oneLine(previous.player_summary, LONGEST) || 'The Player reported nothing.',
    `AC status: {${fitList(statuses, ', ', LONGEST)}}`,
    `Blockers: ${blockers.length === 0 ? 'None' : fitList(blockers, ' | ', LONGEST)}`,
    `Coach decision: ${(previous.coach_decision ?? 'none').toUpperCase()}${feedback === '' ? '' : ` — ${feedback}`}`,
  ].join('\n');
}
