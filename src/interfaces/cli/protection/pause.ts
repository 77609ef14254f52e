import * as z from 'zod';
import { upToOneDay } from '../input/duration.ts';
import { defineCommand } from '../program/cli-command.ts';

const DEFAULT_MS = 30 * 60_000;

export const pause = defineCommand({
  name: 'pause',
  summary: 'Pause guards and restoring for a while (person only)',
  options: [
    ['--for <time>', 'how long, such as 45m or 2h; at most 24h (default: 30m)'],
    ['--reason <text>', 'why, for the record'],
  ],
  changes: true,
  schema: z.object({
    for: upToOneDay.default(DEFAULT_MS),
    reason: z.string().trim().max(500).default(''),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { for: ms, reason, dryRun }) {
    const { runPause } = await import('./run-pause.ts');
    return runPause(context, { ms, reason, dryRun });
  },
});
