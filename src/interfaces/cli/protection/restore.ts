import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';
import { runRestore } from './run-restore.ts';

export const restore = defineCommand({
  name: 'restore',
  summary: 'Bring back a file that GuardKit restored over',
  arguments: [['[path]', 'the file; without it, list all kept versions']],
  options: [
    ['--version <n>', 'which version, as numbered in the list (default: 1)'],
    ['--diff', 'show the difference and change nothing'],
    ['--yes', 'do not ask (person only)'],
  ],
  changes: true,
  schema: z.object({
    path: z.string().min(1).optional(),
    version: z
      .string()
      .regex(/^[1-9][0-9]{0,5}$/, 'a number such as 2 is expected')
      .transform(Number)
      .optional(),
    diff: z.boolean().default(false),
    yes: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  run: runRestore,
});
