import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const fix = defineCommand({
  name: 'fix',
  summary: 'show repairs of the architecture graph that need no judgement, as a diff; --write makes them',
  options: [['--write', 'make the repairs']],
  changes: true,
  schema: z.object({ write: z.boolean().default(false), dryRun: z.boolean().default(false) }),
  async run(context, { write, dryRun }) {
    const { runFix } = await import('./run-fix.ts');
    return runFix(context, write && !dryRun);
  },
});
