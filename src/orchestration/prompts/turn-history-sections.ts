import type { TurnState } from '../../domain/entities/turn-state.ts';
import { cleanText, cutText, oneLine } from '../../domain/json/clean-text.ts';
import { fitList } from '../../rules/prompt-sections.ts';
import { wasCutOff } from '../turns/turn-lifecycle.ts';
import { turnRecord } from '../turns/turn-record.ts';
import { linesSection, type PromptSection, quoteBlock } from './prompt-section.ts';
import { criterionLines, type PromptCriterion } from './task-sections.ts';

/**
 * Splits turns into those shown in full and those shown in one line. The last turn is shown in full. If it was not
 * judged, so is the last judged turn, because its feedback still has to be addressed.
 */
export function splitTurns(turns: readonly TurnState[]): { previous: TurnState[]; earlier: TurnState[] } {
  const last = turns.at(-1);
  if (!last) return { previous: [], earlier: [] };
  const judged = turns.findLast(({ coach_decision }) => coach_decision !== null);
  const previous = judged && judged !== last ? [judged, last] : [last];
  return { previous, earlier: turns.filter((turn) => !previous.includes(turn)) };
}

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

/** One line per turn, the oldest first; if not all fit, the newest are kept. */
export function earlierTurnsSection(turns: readonly TurnState[]): PromptSection {
  return linesSection('earlier turns', '## Earlier Turns', turns.map(earlierTurnLine), {
    priority: 20,
    keep: 'last',
  });
}

/** The rest is in the turn's record. */
const LONGEST_FEEDBACK = 8000;
const LONGEST_LIST = 1500;

/** The previous turn for the Player. A rejection is repeated at the end, so that it cannot be missed. */
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
    ...optional('False claims in the report', record.honesty, ' '),
    ...statusLines(turn, criteria),
    ...(rejected && feedback !== '' ? ['', 'Last Turn Feedback (MUST ADDRESS):', quoted(feedback)] : []),
  ];
  return lines.join('\n');
}

/** The whole feedback, or its first line if the whole follows below. */
function feedbackLine(feedback: string, rejected: boolean): string {
  const [first = '', ...rest] = feedback.split('\n');
  if (rest.length === 0 || rejected) return `**Coach feedback**: ${oneLine(first, LONGEST_FEEDBACK)}`;
  return `**Coach feedback**:\n${quoted(feedback)}`;
}

/** Quoted if it has several lines, which could imitate a section. */
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

const LONGEST = 2000;

/** The previous turn for the Coach, in four lines. */
export function coachPreviousTurnSection(previous: TurnState, maxTurns: number): string {
  const statuses = Object.entries(previous.acceptance_criteria_status).map(
    ([id, status]) => `${oneLine(id, 200)}: ${status}`,
  );
  const blockers = previous.blockers_found.map((blocker) => oneLine(blocker, 300));
  const feedback = oneLine(previous.coach_feedback ?? '', LONGEST);
  return [
    `## Previous Turn Context (Turn ${previous.turn_number} of ${maxTurns})`,
    oneLine(previous.player_summary, LONGEST) || 'The Player gave no report.',
    `AC status: {${fitList(statuses, ', ', LONGEST)}}`,
    `Blockers: ${blockers.length === 0 ? 'None' : fitList(blockers, ' | ', LONGEST)}`,
    `Coach decision: ${(previous.coach_decision ?? 'none').toUpperCase()}${feedback === '' ? '' : ` — ${feedback}`}`,
  ].join('\n');
}
