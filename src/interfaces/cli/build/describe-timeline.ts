import type {
  TaskHistory,
  TimelineGate,
  TimelineTurn,
} from '../../../orchestration/history/task-timeline.ts';
import { sumSpent, turnSpent } from '../../../orchestration/history/time-and-money.ts';
import { criterionIcon } from '../../../orchestration/turns/criterion-status.ts';
import { OUTCOME_ICONS } from '../output/outcome-icons.ts';
import { oneLine, plural } from '../output/printable.ts';
import { formatSeconds, formatUsd, joined } from './amounts.ts';

const INDENT = '      ';

/** The turns of a task, each with its decisions, criteria and gates. */
export function describeTimeline(
  history: TaskHistory,
  timeline: readonly TimelineTurn[],
  width: number,
): string {
  const spent = timeline.map(({ turn }) => turnSpent(turn, history.steps));
  const { seconds, usd } = sumSpent(spent);
  const name =
    history.taskId === history.featureId ? history.taskId : `${history.taskId} of ${history.featureId}`;
  const state = history.outcome ?? 'not finished';
  return [
    `${name}: ${joined(`${state} after ${plural(timeline.length, 'turn')}`, formatSeconds(seconds), formatUsd(usd))}`,
    ...timeline.flatMap((one, index) => [
      ...(startsAfresh(timeline, index) ? ['  — reset: agents are not shown what is above —'] : []),
      heading(one, spent[index]?.seconds ?? 0, spent[index]?.usd ?? null),
      ...details(one, width),
    ]),
  ].join('\n');
}

/** Criteria by their icons, as many to a line as fit. */
export function criteriaLines(one: Pick<TimelineTurn, 'criteria'>, width: number): string[] {
  const moved = { forward: '', back: ' (was ✓)' };
  const words = one.criteria.map(
    ({ id, status, moved: how }) => `${criterionIcon(status)} ${oneLine(id, 60)}${how ? moved[how] : ''}`,
  );
  return inLines(words, width);
}

function startsAfresh(timeline: readonly TimelineTurn[], index: number): boolean {
  return timeline[index]?.beforeReset === false && timeline[index - 1]?.beforeReset === true;
}

function heading({ turn, coachSaid, cutOff }: TimelineTurn, seconds: number, usd: number | null): string {
  const overruled =
    coachSaid !== null && coachSaid !== turn.coach_decision
      ? ` (the Coach said ${oneLine(coachSaid, 20)})`
      : '';
  const decided = cutOff
    ? turn.completed_at === null
      ? 'under way'
      : 'cut off'
    : `player ${turn.player_decision ?? 'none'}, coach ${turn.coach_decision ?? 'no verdict'}${overruled}`;
  const number = `T${turn.turn_number}`.padEnd(4);
  return `  ${number}${turn.mode.padEnd(17)} ${joined(decided, formatSeconds(seconds), formatUsd(usd))}`;
}

function details(one: TimelineTurn, width: number): string[] {
  const { turn } = one;
  const line = (name: string, text: string | null) =>
    text ? [`${INDENT}${name}: ${oneLine(text, Math.max(20, width - INDENT.length - name.length - 2))}`] : [];
  const figures = joined(
    turn.tests_passed === null ? '' : `${turn.tests_passed} passed, ${turn.tests_failed ?? 0} failed`,
    turn.coverage === null ? '' : `coverage ${turn.coverage.toFixed(1)} %`,
    turn.arch_score === null ? '' : `architecture ${turn.arch_score}`,
  );
  return [
    ...line('did', turn.player_summary),
    ...criteriaLines(one, width),
    ...gateLines(one.gates, width),
    ...line('measured', figures),
    ...(turn.coach_decision === 'approved' ? [] : line('feedback', turn.coach_feedback)),
    ...line('blockers', turn.blockers_found.join('; ')),
  ];
}

/** What was not asked for and gave no result says nothing. */
function gateLines(gates: readonly TimelineGate[], width: number): string[] {
  const telling = gates.filter(({ result, required }) => result !== 'absent' || required !== false);
  return inLines(
    telling.map(({ gate, result }) => `${OUTCOME_ICONS[result]} ${oneLine(gate, 40)}`),
    width,
  );
}

function inLines(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 2 + word.length <= width)
      lines[lines.length - 1] = `${last}  ${word}`;
    else lines.push(`${INDENT}${word}`);
  }
  return lines;
}
