import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { oneLine } from '../../../domain/json/clean-text.ts';
import { findBuilt, readHistory } from '../../../orchestration/history/read-history.ts';
import {
  type TaskHistory,
  type TimelineTurn,
  taskTimeline,
  unmetGates,
} from '../../../orchestration/history/task-timeline.ts';
import { defineTool, type ToolAnswer } from '../mcp-tool.ts';

const SHOWN_TURNS = 20;

export const turnHistoryTool = defineTool({
  name: 'turn_history',
  description: 'Show the turns of a feature or task: attempts, gate results and Coach feedback.',
  readOnly: true,
  input: z.strictObject({
    id: z.string().min(1).max(200).describe('A feature (FEAT-…) or a task (TASK-…).'),
    turn: z.int().min(1).max(100_000).optional().describe('Show this turn in full.'),
  }),
  async run(context, { id, turn }): Promise<ToolAnswer> {
    const { project, home } = await context.project();
    if (!existsSync(join(home, 'ledger.db'))) return { text: 'Nothing has been built in this project yet.' };
    const ledger = await context.ledger();
    const histories = readHistory(ledger, project, findBuilt(ledger, project, id));
    return { text: histories.map((history) => describe(history, turn)).join('\n\n') };
  },
});

function describe(history: TaskHistory, turn: number | undefined): string {
  const timeline = taskTimeline(history);
  const head = `${history.featureId}/${history.taskId}: ${timeline.length} turns, outcome ${history.outcome ?? 'open'}`;
  if (turn === undefined) {
    const shown = timeline.slice(-SHOWN_TURNS);
    const earlier = timeline.length - shown.length;
    return [
      head,
      ...(earlier > 0 ? [`${earlier} earlier turns are not shown`] : []),
      ...shown.map(line),
    ].join('\n');
  }
  const found = timeline.find((one) => one.turn.turn_number === turn);
  return [head, ...(found ? whole(found) : [`No turn ${turn}.`])].join('\n');
}

function line(one: TimelineTurn): string {
  const { turn_number, coach_decision, player_summary, coach_feedback } = one.turn;
  const unmet = unmetGates(one).map(({ gate, result }) => `${gate} ${result}`);
  const said = coach_feedback === null || coach_feedback === '' ? player_summary : coach_feedback;
  return oneLine(
    `- turn ${turn_number}: ${one.cutOff ? 'cut off' : coach_decision}${unmet.length > 0 ? ` (${unmet.join(', ')})` : ''}: ${said ?? ''}`,
    300,
  );
}

function whole(one: TimelineTurn): string[] {
  const { turn } = one;
  const part = (name: string, text: string | null | undefined) =>
    text === null || text === undefined || text === '' ? [] : [`${name}: ${oneLine(text, 2000)}`];
  return [
    `turn ${turn.turn_number} (${one.id}): ${one.cutOff ? 'cut off' : turn.coach_decision}`,
    ...part('Player', turn.player_summary),
    ...part('files', turn.files_modified.slice(0, 60).join(', ')),
    ...one.gates.map(({ gate, result, reason }) => oneLine(`gate ${gate}: ${result}. ${reason}`, 500)),
    ...one.criteria.map(({ id, status, moved }) =>
      oneLine(`${id}: ${status}${moved ? ` (${moved})` : ''}`, 200),
    ),
    ...part('Coach', turn.coach_feedback),
    ...part('lessons', turn.lessons_from_turn.join('; ')),
    ...part('to try next', turn.what_to_try_next),
    ...part('commit', one.commit),
  ];
}
