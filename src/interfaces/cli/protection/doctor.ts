import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Test the hooks and check everything they depend on',
  options: [['--fix', 'mend launcher, hooks, the files of sessions and the table of features first']],
  changes: true,
  schema: z.object({ fix: z.boolean().default(false), dryRun: z.boolean().default(false) }),
  async run(context, input) {
    const { runDoctor } = await import('./run-doctor.ts');
    return runDoctor(context, input);
  },
});
