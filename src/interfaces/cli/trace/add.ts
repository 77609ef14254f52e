import * as z from 'zod';
import { TRACE_TYPES } from '../../../domain/entities/trace.ts';
import { defineCommand } from '../program/cli-command.ts';

export const add = defineCommand({
  name: 'add',
  summary: 'record a violation, correction, decision or approval that nothing else has recorded',
  arguments: [['<what>', 'what happened, in a sentence']],
  options: [
    ['--type <type>', `what it was: ${TRACE_TYPES.join(', ')} (default: correction)`],
    ['--correct <text>', 'what would have been right'],
    ['--why <text>', 'why that would have been right'],
    ['--guard <guard>', 'the guard that it is about'],
    ['--feature <feature>', 'the feature that it is about'],
    ['--task <task>', 'the task that it is about'],
    ['--agent <agent>', 'the kind of agent whose doing it was'],
  ],
  changes: true,
  schema: z.object({
    what: z.string().trim().min(1, 'say what happened').max(2000),
    type: z.enum(TRACE_TYPES).default('correction'),
    correct: z.string().max(2000).default(''),
    why: z.string().max(2000).default(''),
    guard: z.string().min(1).optional(),
    feature: z.string().min(1).optional(),
    task: z.string().min(1).optional(),
    agent: z.string().min(1).optional(),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runAdd } = await import('./run-add.ts');
    return runAdd(context, input);
  },
});
