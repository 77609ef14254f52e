import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const turns = defineCommand({
  name: 'turns',
  summary:
    'show the turns of a feature or task one after the other, or with `diff` what changed between two of them',
  arguments: [
    ['<id>', 'a feature (FEAT-…) or a task (TASK-…); or the word diff'],
    [
      '[turn...]',
      'after diff: two turns, as TURN-FEAT-TASK-T1; or a task and two numbers, as in `turns diff TASK-001 1 2`',
    ],
  ],
  options: [['--task <id>', 'after diff: the task whose turns the numbers are of']],
  schema: z.object({
    id: z.string().min(1),
    turn: z.array(z.string().min(1)).max(3, 'two turns are compared').default([]),
    task: z.string().min(1).optional(),
  }),
  async run(context, { id, turn, task }) {
    if (id === 'diff') {
      const { runTurnsDiff } = await import('./run-turns-diff.ts');
      return runTurnsDiff(context, turn, task);
    }
    const { runTurns } = await import('./run-turns.ts');
    return runTurns(context, id, turn);
  },
});
