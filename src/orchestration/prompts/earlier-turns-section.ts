import type { TurnState } from '../../domain/entities/turn-state.ts';
import { oneLine } from '../../domain/json/clean-text.ts';
import { linesSection, type PromptSection } from './prompt-section.ts';

/** `- Turn 1: implemented, rejected, 1 of 3 verified | Added caching | Feedback: No tests`. */
function earlierTurnLine(turn: TurnState): string {
  const statuses = Object.values(turn.acceptance_criteria_status);
  const verified = statuses.filter((status) => status === 'verified').length;
  const how = [
    turn.player_decision ?? 'cut off',
    turn.coach_decision ?? 'not judged',
    ...(statuses.length === 0 ? [] : [`${verified} of ${statuses.length} verified`]),
  ];
  const summary = oneLine(turn.player_summary, 160);
  const feedback = oneLine(turn.coach_feedback ?? '', 160);
  return [
    `- Turn ${turn.turn_number}: ${how.join(', ')}`,
    ...(summary === '' ? [] : [summary]),
    ...(feedback === '' ? [] : [`Feedback: ${feedback}`]),
  ].join(' | ');
}

/** One line each, the oldest first; where not all fit, the newest are kept. */
export function earlierTurnsSection(turns: readonly TurnState[]): PromptSection {
  return linesSection('earlier turns', '## Earlier Turns', turns.map(earlierTurnLine), {
    priority: 20,
    keep: 'last',
  });
}
