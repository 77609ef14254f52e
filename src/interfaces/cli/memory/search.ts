import * as z from 'zod';
import type { Workspace } from '../../../config/project/workspace.ts';
import { parseTimestamp } from '../../../domain/timestamp.ts';
import type { EpisodeStore, SearchHit } from '../../../store/episode-store.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand } from '../program/cli-command.ts';
import { leftOut, resolveGroups, visibleGroups } from './groups.ts';

export const search = defineCommand({
  name: 'search',
  summary: 'Search memory by text or id',
  arguments: [['<query>', 'Words, identifiers or an entity id']],
  options: [
    ['--group <group>', 'Only this group, in the system and this project', 'repeatable'],
    ['--limit <n>', 'Show at most N results (default: 10)'],
    ['--as-of <time>', 'Show what was true at that time'],
  ],
  schema: z.object({
    query: z.string(),
    group: z.array(z.string()).optional(),
    limit: wholeNumber(1000, 10),
    asOf: z.string().optional(),
    verbose: z.boolean().default(false),
  }),
  async run(context, { query, group, limit, asOf, verbose }) {
    const workspace = await context.workspace();
    const at = asOf === undefined ? undefined : parseTimestamp(asOf);
    const groups = group ? group.flatMap((name) => resolveGroups(workspace, name)) : visibleGroups(workspace);
    const store = await context.store();
    const results = await store.search(query, { groups, limit, asOf: at, exactIds: true });
    const asked = `'${oneLine(query, 80)}'${at === undefined ? '' : ` as of ${at}`}`;
    return {
      json: { query, results },
      text:
        results.length > 0
          ? listHits(asked, results, context, verbose)
          : await nothingFound(asked, store, groups, workspace),
    };
  },
});

function listHits(
  asked: string,
  hits: readonly SearchHit[],
  { width }: CliContext,
  verbose: boolean,
): string {
  const lines = hits.flatMap((hit, index) => [
    oneLine(`${index + 1}. [${hit.score.toFixed(2)}] ${hit.text}`, width),
    ...(verbose ? [`   ${hit.entity_id} in ${hit.group}, since ${hit.valid_at}`] : []),
  ]);
  return [`Found ${plural(hits.length, 'result')} for ${asked}:`, '', ...lines].join('\n');
}

async function nothingFound(
  asked: string,
  store: EpisodeStore,
  searched: readonly string[],
  workspace: Workspace,
): Promise<string> {
  const filled = (await store.counts()).filter(({ episodes }) => episodes > 0).map(({ group }) => group);
  const here = filled.filter((group) => searched.includes(group));
  return [`Found nothing for ${asked}.`, suggestion(filled, here), ...leftOut(workspace)].join('\n');
}

function suggestion(filled: readonly string[], here: readonly string[]): string {
  if (filled.length === 0) return 'The store is empty. Run `guardkit memory seed` to fill the system groups.';
  if (here.length === 0) return `The groups searched are empty. Groups with data: ${filled.join(', ')}.`;
  return `Groups searched that have data: ${here.join(', ')}.`;
}
