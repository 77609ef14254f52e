import * as z from 'zod';
import { DAY_MS, upToOneDay } from '../input/duration.ts';
import { defineCommand } from '../program/cli-command.ts';

export const allow = defineCommand({
  name: 'allow',
  summary: 'let a guard be passed, once or for a time; only a person may',
  arguments: [['<guard>', 'its id']],
  options: [
    ['--once', 'for one action, within the next 24 hours'],
    ['--for <time>', 'for a time, such as 30m or 2h; at most 24h'],
    ['--reason <text>', 'why, for whoever reads the record'],
  ],
  changes: true,
  schema: z
    .object({
      guard: z.string().min(1),
      once: z.boolean().default(false),
      for: upToOneDay.optional(),
      reason: z.string('say why, as in --reason "the migration needs it"').trim().min(1, 'say why').max(1000),
      dryRun: z.boolean().default(false),
    })
    .refine(({ once, for: time }) => once !== (time !== undefined), {
      path: ['once'],
      message: 'say either --once or --for',
    }),
  async run(context, input) {
    const { runAllow } = await import('./run-allow.ts');
    return runAllow(context, { ...input, ms: input.for ?? DAY_MS });
  },
});
