import * as z from 'zod';
import { systemClock } from '../../../platform/clock.ts';
import { pastTime } from '../input/past-time.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { defineCommand } from '../program/cli-command.ts';
import { LOG_KINDS } from './log-event.ts';
import { runLog } from './run-log.ts';

export const log = defineCommand({
  name: 'log',
  summary: 'Show refusals, restores, changes and waivers',
  options: [
    ['--follow', 'keep running and print new events'],
    ['--since <time>', 'only newer than 2d, 12h or a date'],
    ['--kind <kind>', `only ${LOG_KINDS.join(', ')}`],
    ['--agent <name>', 'only by this agent, subagent or person'],
    ['--limit <n>', 'at most this many (default: 50)'],
  ],
  schema: z.object({
    follow: z.boolean().default(false),
    since: z
      .string()
      .transform((text) => pastTime(text, systemClock()))
      .optional(),
    kind: z.enum(LOG_KINDS).optional(),
    agent: z.string().min(1).optional(),
    limit: wholeNumber(10_000, 50),
    json: z.boolean().default(false),
  }),
  run: runLog,
});
