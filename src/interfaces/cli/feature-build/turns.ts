import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { turnJson } from '../../../orchestration/history/history-json.ts';
import { findBuilt, readHistory } from '../../../orchestration/history/read-history.ts';
import {
  type TaskHistory,
  type TimelineGate,
  type TimelineTurn,
  taskTimeline,
} from '../../../orchestration/history/task-timeline.ts';
import { sumSpent, turnSpent } from '../../../orchestration/history/time-and-money.ts';
import { criterionIcon } from '../../../orchestration/turns/criterion-status.ts';
import { formatSeconds, formatUsd, joined, OUTCOME_ICONS, oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openHistory } from './open-history.ts';
import { runTurnsDiff } from './turns-diff.ts';

export const turns = defineCommand({
  name: 'turns',
  summary: 'Show the turns of a feature or task, or compare two',
  arguments: [
    ['<id>', 'Feature (FEAT-…) or task (TASK-…), or `diff`'],
    ['[turn...]', 'With diff: two turn ids, or a task and two turn numbers'],
  ],
  options: [['--task <id>', 'With diff: task that the turn numbers belong to']],
  schema: z.object({
    id: z.string().min(1),
    turn: z.array(z.string().min(1)).max(3, 'expected two turns').default([]),
    task: z.string().min(1).optional(),
  }),
  async run(context, { id, turn, task }) {
    if (id === 'diff') {
      return runTurnsDiff(context, turn, task);
    }
    return runTurns(context, id, turn);
  },
});

async function runTurns(context: CliContext, id: string, rest: readonly string[]): Promise<Report> {
  if (rest.length > 0) throw tooMuch(id, rest);
  const { ledger, project } = await openHistory(context);
  const histories = readHistory(ledger, project, findBuilt(ledger, project, id));
  const timelines = histories.map((history) => ({ history, timeline: taskTimeline(history) }));
  return {
    json: {
      id,
      tasks: timelines.map(({ history, timeline }) => ({
        feature: history.featureId,
        task: history.taskId,
        outcome: history.outcome ?? null,
        turns: timeline.map((one) => turnJson(one, history)),
      })),
    },
    text: timelines
      .map(({ history, timeline }) => describeTimeline(history, timeline, context.width))
      .join('\n\n'),
  };
}

function tooMuch(id: string, rest: readonly string[]): GuardKitError {
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `"${rest.join(' ')}" after ${id}: expected only one feature or task.`,
    hint: `To compare two turns: \`guardkit turns diff ${id} 1 2\`.`,
  });
}

const INDENT = '      ';

/** The turns of a task, each with its decisions, criteria and gates. */
function describeTimeline(history: TaskHistory, timeline: readonly TimelineTurn[], width: number): string {
  const spent = timeline.map(({ turn }) => turnSpent(turn, history.steps));
  const { seconds, usd } = sumSpent(spent);
  const name =
    history.taskId === history.featureId ? history.taskId : `${history.taskId} of ${history.featureId}`;
  const state = history.outcome ?? 'not finished';
  return [
    `${name}: ${joined(`${state} after ${plural(timeline.length, 'turn')}`, formatSeconds(seconds), formatUsd(usd))}`,
    ...timeline.flatMap((one, index) => [
      ...(startsAfresh(timeline, index) ? ['  — reset: agents do not see the turns above —'] : []),
      heading(one, spent[index]?.seconds ?? 0, spent[index]?.usd ?? null),
      ...details(one, width),
    ]),
  ].join('\n');
}

/** Criteria by their icons, as many to a line as fit. */
function criteriaLines(one: Pick<TimelineTurn, 'criteria'>, width: number): string[] {
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
    turn.coverage === null ? '' : `coverage ${turn.coverage.toFixed(1)}%`,
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

/** Hides optional gates without a result. */
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
