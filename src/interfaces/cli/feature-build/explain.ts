import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import {
  explainTask,
  formatNumbers,
  type TaskExplanation,
  type TriedTurn,
} from '../../../orchestration/history/explain-task.ts';
import type { Causes } from '../../../orchestration/history/find-causes.ts';
import { explanationJson } from '../../../orchestration/history/history-json.ts';
import { findBuilt, readHistory } from '../../../orchestration/history/read-history.ts';
import { TURN_PARTS, type TurnSpent } from '../../../orchestration/history/time-and-money.ts';
import { withoutGateEntries } from '../../../orchestration/turns/turn-record.ts';
import { formatSeconds, formatUsd, joined, oneLine, plural, printable } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openHistory } from './open-history.ts';

export const explain = defineCommand({
  name: 'explain',
  summary: 'Explain what was tried for a task and why it failed',
  arguments: [['<id>', 'Task (TASK-…), or a feature with one built task']],
  schema: z.object({ id: z.string().min(1) }),
  async run(context, { id }) {
    return runExplain(context, id);
  },
});

async function runExplain(context: CliContext, id: string): Promise<Report> {
  const { ledger, project } = await openHistory(context);
  const built = findBuilt(ledger, project, id);
  const own = built.filter(({ taskId }) => taskId === id);
  const meant = own.length > 0 ? own : built;
  const tasks = [...new Set(meant.map(({ taskId }) => taskId))];
  // A task that moved to another feature is explained from there.
  const [history] = tasks.length === 1 ? readHistory(ledger, project, meant.slice(-1)) : [];
  if (!history) throw severalTasks(id, tasks);
  const explanation = explainTask(history);
  return {
    json: explanationJson(explanation),
    text: describeExplanation(explanation, context.width),
  };
}

function severalTasks(id: string, tasks: readonly string[]): GuardKitError {
  return new GuardKitError({
    code: 'explain.several',
    kind: 'input',
    message: `${id} has several built tasks: ${tasks.join(', ')}.`,
    hint: 'Specify one of them; `guardkit turns` shows all.',
  });
}

const MOST_LINES = 12;

function describeExplanation(explained: TaskExplanation, width: number): string {
  const { taskId, approvedIn, lastFailure, causes, turns, turnsBeforeReset, whatToChange } = explained;
  const reasons = causeLines(causes, width);
  const before = turnsBeforeReset > 0 ? ` (and ${turnsBeforeReset} before it was reset)` : '';
  return [
    ...(approvedIn === null ? [] : [`${taskId} was approved in turn ${approvedIn}.`]),
    ...(lastFailure ? failureLines(taskId, lastFailure, approvedIn !== null, width) : []),
    ...(lastFailure === null && approvedIn === null ? [`${taskId} has no turn since it was reset.`] : []),
    '',
    `Why it took ${plural(turns, 'turn')}${before}:`,
    ...(reasons.length > 0 ? reasons : ['  no obstacles']),
    '',
    'Time and cost:',
    ...spentLines(explained),
    '',
    approvedIn === null ? 'What to change:' : 'Next:',
    ...whatToChange.map((step) => `  - ${oneLine(step, Math.max(width, 200) * 3)}`),
  ].join('\n');
}

function failureLines(
  taskId: string,
  { turn, tried, files, decision, why }: TriedTurn,
  approved: boolean,
  width: number,
): string[] {
  const when = approved ? `Before that, turn ${turn} tried` : `${taskId}: last tried, in turn ${turn}`;
  return [
    `${when}: ${oneLine(tried, width * 2)}`,
    ...(files.length > 0 ? [`  files: ${oneLine(files.join(', '), width)}`] : []),
    `It was not approved (${decision}):`,
    ...(why.length > 0 ? why : ['no reason is recorded']).flatMap((text) => block(text)),
  ];
}

/** Multi-line text as a list item. */
function block(text: string): string[] {
  const lines = printable(text).split('\n');
  const shown = lines.slice(0, MOST_LINES);
  const more = lines.length > shown.length ? [`    … ${lines.length - shown.length} more lines`] : [];
  return [...shown.map((line, index) => `${index === 0 ? '  - ' : '    '}${oneLine(line, 400)}`), ...more];
}

function causeLines(causes: Causes, width: number): string[] {
  const point = (text: string) => `  - ${oneLine(text, width * 2)}`;
  const inTurns = (turns: readonly number[]) =>
    `${turns.length === 1 ? 'turn' : 'turns'} ${formatNumbers(turns)}`;
  return [
    ...causes.repeated.map(({ feedback, turns }) => `the same feedback in ${inTurns(turns)}: ${feedback}`),
    ...causes.movedBack.map(
      ({ criterion, verifiedIn, lostIn, why }) =>
        `${criterion} is no longer verified: verified in turn ${verifiedIn}, lost in turn ${lostIn}${why ? ` (${why})` : ''}`,
    ),
    ...causes.blocked.map((id) => `${id} cannot be met as written`),
    ...causes.gates.map(
      ({ gate, turns, reason }) => `the gate ${gate} did not pass in ${inTurns(turns)}: ${reason}`,
    ),
    ...causes.overridden.map(
      ({ turn, because }) => `the Coach approved turn ${turn} without evidence: ${missing(because)}`,
    ),
    ...causes.blockers.map(({ text, turns }) => `a blocker in ${inTurns(turns)}: ${text}`),
    ...causes.dishonest.map(
      ({ turn, claims }) => `the Player made false claims in turn ${turn}: ${claims.join(' ')}`,
    ),
    ...(causes.silent.length > 0 ? [`the Player gave no report in ${inTurns(causes.silent)}`] : []),
    ...(causes.unjudged.length > 0 ? [`the Coach gave no verdict in ${inTurns(causes.unjudged)}`] : []),
    ...(causes.cutOff.length > 0
      ? [`${inTurns(causes.cutOff)} ${causes.cutOff.length === 1 ? 'was' : 'were'} cut off`]
      : []),
  ].map(point);
}

/** Gates are listed separately. */
function missing(because: readonly string[]): string {
  return withoutGateEntries(because).join('; ') || 'gates had not passed';
}

function spentLines({ spent, spentByTurn }: TaskExplanation): string[] {
  return [
    `  total: ${amounts(spent)}`,
    ...(spentByTurn.length > 1 ? spentByTurn.map((one) => `  turn ${one.turn}: ${amounts(one)}`) : []),
  ];
}

function amounts({ seconds, usd, inputTokens, outputTokens, parts }: Omit<TurnSpent, 'turn'>): string {
  const shares = TURN_PARTS.filter((part) => parts[part].seconds >= 0.05 || parts[part].usd).map(
    (part) => `${part} ${[formatSeconds(parts[part].seconds), formatUsd(parts[part].usd)].join(' ').trim()}`,
  );
  const tokens = inputTokens + outputTokens > 0 ? `${inputTokens} + ${outputTokens} tokens` : '';
  return (
    joined(formatSeconds(seconds), formatUsd(usd), tokens) +
    (shares.length > 0 ? ` (${shares.join(', ')})` : '')
  );
}
