import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { localTime, systemClock } from '../../../platform/clock.ts';
import { recentEntries } from '../../../store/ledger/chain/recent-entries.ts';
import { pastTime } from '../input/time-input.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { openProjectLedger, type ProjectLedger } from '../open-project-ledger.ts';
import { oneLine, printableJson } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { LOG_KINDS, LOGGED_ENTRIES, type LogEvent, type LogKind, logEvent } from './log-event.ts';

export const log = defineCommand({
  name: 'log',
  summary: 'Show refusals, restores, changes and waivers',
  options: [
    ['--follow', 'Keep running and print new events'],
    ['--since <time>', 'Only events newer than an age (2d, 12h) or a date'],
    ['--kind <kind>', `Only ${LOG_KINDS.join(', ')}`],
    ['--agent <name>', 'Only events by this agent, subagent or person'],
    ['--limit <n>', 'Show at most N events (default: 50)'],
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

interface LogFilter {
  since?: string | undefined;
  kind?: LogKind | undefined;
  agent?: string | undefined;
  limit: number;
}

interface LogInput extends LogFilter {
  follow: boolean;
  json: boolean;
}

const POLL_MS = 500;

async function runLog(context: CliContext, input: LogInput): Promise<Report | undefined> {
  const opened = await openProjectLedger(context);
  if (input.follow) {
    const show = (event: LogEvent) => (input.json ? printableJson(event) : logLine(event, context.width));
    await followLog(opened, input, (event) => context.stdout.write(`${show(event)}\n`));
    return undefined;
  }
  const events = readLog(opened, input);
  return {
    json: { events },
    text:
      events.length === 0
        ? 'No such events.'
        : events.map((event) => logLine(event, context.width)).join('\n'),
  };
}

/** The last matching events, newest last. */
export function readLog(
  { ledger, project }: Pick<ProjectLedger, 'ledger' | 'project'>,
  filter: LogFilter,
  afterNumber = 0,
): LogEvent[] {
  const events: LogEvent[] = [];
  for (const entry of recentEntries(ledger, project, LOGGED_ENTRIES, { since: filter.since, afterNumber })) {
    const event = logEvent(entry);
    if (event && fits(event, filter)) events.push(event);
    if (events.length >= filter.limit) break;
  }
  return events.reverse();
}

/** Prints the last events, then new ones as they are recorded, until the signal or the end of the program. */
export async function followLog(
  context: Pick<ProjectLedger, 'ledger' | 'project'>,
  filter: LogFilter,
  print: (event: LogEvent) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { ledger, project } = context;
  let read = ledger.head(project)?.number ?? 0;
  for (const event of readLog(context, filter).filter(({ number }) => number <= read)) print(event);
  while (!signal?.aborted) {
    // Aborting throws, which ends the loop.
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    const head = ledger.head(project)?.number ?? 0;
    if (head === read) continue;
    const all = { ...filter, limit: Number.POSITIVE_INFINITY };
    for (const event of readLog(context, all, read).filter(({ number }) => number <= head)) print(event);
    read = head;
  }
}

function fits({ kind, who }: LogEvent, filter: LogFilter): boolean {
  const agent = filter.agent?.toLowerCase();
  return (
    (filter.kind === undefined || kind === filter.kind) &&
    (agent === undefined || who.some((name) => name.toLowerCase() === agent))
  );
}

const WORD = 12;

export function logLine({ at, word, text }: LogEvent, width: number): string {
  const head = `${localTime(at)}  ${word.padEnd(WORD)}  `;
  return `${head}${oneLine(text, width - head.length)}`;
}
