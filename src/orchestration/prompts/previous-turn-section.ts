import type { TurnState } from '../../domain/entities/turn-state.ts';
import { cleanText, cutText, oneLine } from '../../domain/json/clean-text.ts';
import { wasCutOff } from '../turns/turn-mode.ts';
import { turnRecord } from '../turns/turn-record.ts';
import { criterionLines, type PromptCriterion } from './criteria-section.ts';
import { quoteBlock } from './quote-block.ts';

/** Longer than what helps; the rest is in the turn's record. */
const LONGEST_FEEDBACK = 8000;
const LONGEST_LIST = 1500;

/** What the Player is told of the turn before. A rejection is set apart, so that it cannot be read over. */
export function previousTurnSection(turn: TurnState, criteria: readonly PromptCriterion[]): string {
  const rejected = turn.coach_decision === 'rejected';
  const feedback = cutText(cleanText(turn.coach_feedback ?? '').trim(), LONGEST_FEEDBACK);
  const record = turnRecord(turn);
  const unmet = Object.entries(record.gates)
    .filter(([, result]) => result !== 'pass')
    .filter(([gate]) => Object.hasOwn(record.reasons, gate))
    .map(([gate, result]) => `${gate} ${result} (${record.reasons[gate]})`);
  const lines = [
    `## Previous Turn Summary (Turn ${turn.turn_number})`,
    `**What was attempted**: ${oneLine(turn.player_summary) || (wasCutOff(turn) ? 'the turn was cut off' : 'not recorded')}`,
    `**Player decision**: ${turn.player_decision ?? 'none'}`,
    `**Coach decision**: ${rejected ? 'REJECTED' : (turn.coach_decision ?? 'none')}`,
    ...(feedback === '' ? [] : ['', feedbackLine(feedback, rejected)]),
    ...optional('Blockers found', turn.blockers_found, ', '),
    ...optional('Lessons learned', turn.lessons_from_turn, '; '),
    ...optional('Suggested focus for this turn', turn.what_to_try_next ? [turn.what_to_try_next] : [], ''),
    ...optional('Gates that did not pass', unmet, '; '),
    ...optional('Reported and not so', record.honesty, ' '),
    ...statusLines(turn, criteria),
    ...(rejected && feedback !== '' ? ['', 'Last Turn Feedback (MUST ADDRESS):', quoted(feedback)] : []),
  ];
  return lines.join('\n');
}

/** The whole where it is not given below, else how it begins. */
function feedbackLine(feedback: string, rejected: boolean): string {
  const [first = '', ...rest] = feedback.split('\n');
  if (rest.length === 0 || rejected) return `**Coach feedback**: ${oneLine(first, LONGEST_FEEDBACK)}`;
  return `**Coach feedback**:\n${quoted(feedback)}`;
}

/** One line stays as it is; more could look like a section of ours. */
function quoted(feedback: string): string {
  return feedback.includes('\n') ? quoteBlock(feedback, 'coach') : oneLine(feedback, LONGEST_FEEDBACK);
}

function optional(label: string, items: readonly string[], separator: string): string[] {
  const text = oneLine(items.join(separator), LONGEST_LIST);
  return text === '' ? [] : [`**${label}**: ${text}`];
}

function statusLines(
  { acceptance_criteria_status }: TurnState,
  criteria: readonly PromptCriterion[],
): string[] {
  const known = new Map(criteria.map((one) => [one.id, one]));
  const shown = Object.keys(acceptance_criteria_status).map((id) => known.get(id) ?? { id, text: '' });
  if (shown.length === 0) return [];
  return ['', '**Acceptance Criteria Status**:', ...criterionLines(shown, acceptance_criteria_status)];
}
