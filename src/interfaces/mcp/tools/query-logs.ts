import { closeSync } from 'node:fs';
import * as z from 'zod';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import { GROUPINGS, type Grouping, LineGroups } from '../logs/group-lines.ts';
import { findLogs, type OpenedLog, openLog } from '../logs/open-log.ts';
import { LOG_LEVELS, type LogRead, lineFilter, MAX_LINE_BYTES, readLines } from '../logs/read-lines.ts';
import type { McpContext } from '../mcp-context.ts';
import { defineTool, type ToolAnswer } from '../mcp-tool.ts';

const MAX_LINE = 400;

const word = z.string().min(1).max(500);

/** Models often write a single text instead of a list of one. */
const words = z
  .union([word.transform((one) => [one]), z.array(word).max(8)], {
    error: 'expected text of at most 500 characters, or a list of at most 8 such texts',
  })
  .default([]);

const input = z.strictObject({
  path: z.string().max(4096).optional().describe('A log in the project (default: list the logs).'),
  show: z.enum(['tail', 'head', 'count', 'group']).default('tail'),
  contains: words.describe('Only lines that contain all of these.'),
  without: words.describe('Only lines that contain none of these.'),
  level: z.enum(LOG_LEVELS).optional().describe('This level and worse.'),
  ignore_case: z.boolean().default(true),
  group_by: z.enum(GROUPINGS).default('message'),
  limit: z.int().min(1).max(200).default(40).describe('Lines, or groups.'),
});

type Input = z.infer<typeof input>;

export const queryLogsTool = defineTool({
  name: 'query_logs',
  description: 'Filter, tail, count or group the lines of a log without reading all of it.',
  readOnly: true,
  input,
  run: queryLogs,
});

async function queryLogs({ cwd, signal }: McpContext, asked: Input): Promise<ToolAnswer> {
  const root = findGitFolder(cwd)?.root ?? cwd;
  if (asked.path === undefined) return listLogs(root);
  const opened = openLog(root, asked.path);
  if (!opened.ok)
    return {
      refused: true,
      code: opened.code,
      text: `${asked.path.slice(0, 200)} was not read: ${opened.why}.\nCall query_logs without path to list the logs.`,
    };
  try {
    return await ask(opened.log, asked, signal);
  } finally {
    closeSync(opened.log.descriptor);
  }
}

function listLogs(root: string): ToolAnswer {
  const { logs, more } = findLogs(root);
  if (logs.length === 0) return { text: 'No logs found in the project.' };
  return {
    text: [
      ...logs.map(({ path, bytes, changedAt }) => `${path} (${bytes} bytes, last written ${changedAt})`),
      ...(more ? ['… and more; name one by its path.'] : []),
    ].join('\n'),
  };
}

async function ask(log: OpenedLog, asked: Input, signal: AbortSignal | undefined): Promise<ToolAnswer> {
  const fits = lineFilter({ ...asked, ignoreCase: asked.ignore_case, level: asked.level });
  const groups = asked.show === 'group' ? new LineGroups(asked.group_by) : undefined;
  const kept = new KeptLines(asked.show, asked.limit);
  let found = 0;
  const scanned = await readLines(
    log,
    (line, number, bytes) => {
      if (!fits(line)) return;
      found += 1;
      if (groups) groups.add(line, number);
      else kept.add(line, number, bytes);
    },
    { signal },
  );
  const head = heading(log, scanned, found);
  if (asked.show === 'count') return { text: head };
  if (groups) return { text: [head, ...groupLines(groups, asked.group_by, asked.limit)].join('\n') };
  const lines = kept.lines();
  const which =
    found > lines.length ? `, the ${asked.show === 'head' ? 'first' : 'last'} ${lines.length}:` : ':';
  return { text: [found === 0 ? head : head + which, ...lines].join('\n') };
}

function heading({ name, bytes }: OpenedLog, { lines, from, cut, piece }: LogRead, found: number): string {
  const end = `only its last ${bytes - from} bytes were read`;
  const notes = [
    ...(piece ? [`${end}, which are a piece of one line`] : []),
    ...(from > 0 && !piece ? [`${end}, and lines are numbered from there`] : []),
    ...(cut > 0
      ? [`of ${cut === 1 ? '1 line' : `${cut} lines`} only the first ${MAX_LINE_BYTES} bytes were read`]
      : []),
  ];
  return [`${name}: ${found} of ${lines === 1 ? '1 line' : `${lines} lines`}`, ...notes].join('; ');
}

function groupLines(groups: LineGroups, by: Grouping, limit: number): string[] {
  const all = groups.sorted(by);
  const shown = all.slice(0, limit);
  return [
    ...shown.map(({ key, count, last }) => `${count} × ${key} (last in line ${last})`),
    ...(all.length > shown.length ? [`… and ${all.length - shown.length} more groups`] : []),
  ];
}

/** The first or the last few of any number of lines. */
class KeptLines {
  readonly #limit: number;
  readonly #first: boolean;
  #lines: string[] = [];

  constructor(show: Input['show'], limit: number) {
    this.#limit = limit;
    this.#first = show === 'head';
  }

  add(line: string, number: number, bytes: number): void {
    if (this.#first && this.#lines.length >= this.#limit) return;
    const shown = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}… [${bytes} bytes in all]` : line;
    this.#lines.push(`${number}: ${shown}`);
    // Now and then rather than at every line.
    if (this.#lines.length > 2 * this.#limit + 100) this.#lines = this.#lines.slice(-this.#limit);
  }

  lines(): string[] {
    return this.#first ? this.#lines : this.#lines.slice(-this.#limit);
  }
}
