import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const revoke = defineCommand({
  name: 'revoke',
  summary: 'take a waiver back; only a person may',
  arguments: [['<id>', 'the waiver, as `guardkit guard waivers` lists it']],
  changes: true,
  schema: z.object({ id: z.string().min(1), dryRun: z.boolean().default(false) }),
  async run(context, input) {
    const { runRevoke } = await import('./run-revoke.ts');
    return runRevoke(context, input);
  },
});
