import * as z from 'zod';
import { TRACE_SOURCES, TRACE_TYPES } from '../../../domain/entities/trace.ts';
import { systemClock } from '../../../platform/clock.ts';
import { pastTime } from '../input/past-time.ts';
import { wholeNumber } from '../input/whole-number.ts';
import type { DescribedOption } from '../program/cli-command.ts';

/** What `list` and `query` may be narrowed by. */
export const TRACE_FILTER_OPTIONS: readonly DescribedOption[] = [
  ['--type <type>', `only these: ${TRACE_TYPES.join(', ')}`],
  ['--source <source>', `only from there: ${TRACE_SOURCES.join(', ')}`],
  ['--guard <guard>', 'only about this guard or gate'],
  ['--feature <feature>', 'only about this feature'],
  ['--task <task>', 'only about this task'],
  ['--agent <agent>', 'only about this kind of agent; main is the one that talks to you'],
  ['--session <session>', 'only from this session'],
  ['--since <time>', 'not older than this: a date such as 2026-03-01, or a time such as 7d or 12w'],
  ['--limit <n>', 'at most this many (default: 20)'],
];

const text = z.string().min(1).optional();

export const traceFilterShape = {
  type: z.enum(TRACE_TYPES).optional(),
  source: z.enum(TRACE_SOURCES).optional(),
  guard: text,
  feature: text,
  task: text,
  agent: text,
  session: text,
  since: z
    .string()
    .transform((text) => pastTime(text, systemClock()))
    .optional(),
  limit: wholeNumber(500, 20),
};
