import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const uninstall = defineCommand({
  name: 'uninstall',
  summary: 'take GuardKit’s hooks out of the coding agent again; only a person may',
  options: [
    ['--agent <name>', 'which one: claude'],
    ['--purge', 'Also delete .guardkit/ and GuardKit’s .gitignore lines'],
  ],
  changes: true,
  schema: z.object({
    agent: z.enum(['claude'], 'claude is expected').default('claude'),
    purge: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  async run(context, input) {
    const { runUninstall } = await import('./run-uninstall.ts');
    return runUninstall(context, input);
  },
});
