import { z } from 'zod';
import { parseTimestamp } from '../../../domain/timestamp.ts';
import type { EpisodeStore, SearchHit } from '../../../store/episode-store.ts';
import { type CliContext, defineCommand } from '../cli-command.ts';
import { oneLine, plural } from '../printable.ts';
import { resolveGroups, visibleGroups } from './groups.ts';

export const search = defineCommand({
  name: 'search',
  summary: 'find what is remembered, by words or by id',
  arguments: [['<query>', 'words, identifiers or an entity id']],
  options: [
    [
      '--group <group>',
      'only these groups; a bare name means the system group and this project’s',
      'repeatable',
    ],
    ['--limit <n>', 'at most this many results (default: 10)'],
    ['--as-of <time>', 'what was true at that time'],
  ],
  schema: z.object({
    query: z.string(),
    group: z.array(z.string()).optional(),
    limit: z.coerce.number('a whole number from 1 to 1000 is expected').int().min(1).max(1000).default(10),
    asOf: z.string().optional(),
  }),
  async run(context, { query, group, limit, asOf }) {
    const workspace = await context.workspace();
    const at = asOf === undefined ? undefined : parseTimestamp(asOf);
    const groups = group ? group.flatMap((name) => resolveGroups(workspace, name)) : visibleGroups(workspace);
    const store = await context.store();
    const results = await store.search(query, { groups, limit, asOf: at });
    return {
      json: { query, results },
      text: results.length > 0 ? listHits(query, results, context) : await nothingFound(query, store, groups),
    };
  },
});

function listHits(query: string, hits: readonly SearchHit[], { width }: CliContext): string {
  const lines = hits.map((hit, index) =>
    oneLine(`${index + 1}. [${hit.score.toFixed(2)}] ${hit.text}`, width),
  );
  return [`Found ${plural(hits.length, 'result')} for '${oneLine(query, 80)}':`, '', ...lines].join('\n');
}

async function nothingFound(
  query: string,
  store: EpisodeStore,
  searched: readonly string[],
): Promise<string> {
  const filled = (await store.counts()).filter(({ episodes }) => episodes > 0);
  const here = filled.filter(({ group }) => searched.includes(group));
  const found = `Found nothing for '${oneLine(query, 80)}'.`;
  if (here.length > 0)
    return `${found}\nGroups searched that have data: ${here.map(({ group }) => group).join(', ')}.`;
  if (filled.length > 0)
    return `${found}\nThe groups searched are empty. Groups with data: ${filled.map(({ group }) => group).join(', ')}.`;
  return `${found}\nThe store is empty: run \`guardkit graphiti seed\` to fill the system groups.`;
}
