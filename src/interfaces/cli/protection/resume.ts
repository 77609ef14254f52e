import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const resume = defineCommand({
  name: 'resume',
  summary: 'End a pause now (person only)',
  changes: true,
  schema: z.object({ dryRun: z.boolean().default(false) }),
  async run(context, { dryRun }) {
    const { runResume } = await import('./run-resume.ts');
    return runResume(context, dryRun);
  },
});
