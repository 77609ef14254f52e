import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';
import { runVerify } from './run-verify.ts';

export const verify = defineCommand({
  name: 'verify',
  summary: 'Run tests and checks and judge them by the gates',
  arguments: [['<id>', 'a feature (FEAT-…) or a task (TASK-…)']],
  options: [
    ['--base <ref>', 'Commit to judge against (default: where the work began)'],
    ['--yes', 'Confirm detected commands (person only)'],
    ['--fresh-base', 'Run the base again instead of reusing its results'],
  ],
  schema: z.object({
    id: z.string().min(1),
    base: z.string().min(1).optional(),
    yes: z.boolean().default(false),
    freshBase: z.boolean().default(false),
  }),
  run: runVerify,
});
