import * as z from 'zod';
import { optionalWholeNumber } from '../input/whole-number.ts';
import { defineCommand } from '../program/cli-command.ts';

/** As many as a list of features can have. */
const MAX_FEATURES = 5000;

export const start = defineCommand({
  name: 'start',
  summary:
    'let an agent’s session that is open here work through the features; the same as /guardkit-run in it',
  options: [
    ['--agent-session <id>', 'the agent’s own session, where several are open'],
    ['--max-features <n>', 'end after so many features'],
    ['--brief <text>', 'what is to be built, or the file that says it, where there are no features yet'],
  ],
  changes: true,
  schema: z.object({
    agentSession: z.string().min(1).max(200).optional(),
    maxFeatures: optionalWholeNumber(MAX_FEATURES),
    brief: z.string().max(20_000).default(''),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runStart } = await import('./run-start.ts');
    return runStart(context, input);
  },
});
