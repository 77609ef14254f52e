import * as z from 'zod';
import type { Episode } from '../../../domain/entities/episode.ts';
import { parseTimestamp } from '../../../domain/timestamp.ts';
import { defineCommand } from '../program/cli-command.ts';
import { leftOut, visibleGroups } from './groups.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'Show all entities with this id in full',
  arguments: [['<id>', 'Entity id, or TURN-FEATURE-N for that turn of every task']],
  options: [['--as-of <time>', 'Show it as it was at that time']],
  schema: z.object({ id: z.string(), asOf: z.string().optional() }),
  async run(context, { id, asOf }) {
    const workspace = await context.workspace();
    const at = asOf === undefined ? undefined : parseTimestamp(asOf);
    const store = await context.store();
    const episodes = await store.find(id, { groups: visibleGroups(workspace), asOf: at });
    const nothing = at === undefined ? `No entity ${id}.` : `No entity ${id} at ${at}.`;
    return {
      json: { id, episodes },
      text:
        episodes.length > 0
          ? episodes.map(describe).join('\n\n')
          : [nothing, 'Search with `guardkit memory search`.', ...leftOut(workspace)].join('\n'),
      exitCode: episodes.length > 0 ? 0 : 1,
    };
  },
});

function describe(episode: Episode): string {
  const until = episode.invalid_at === null ? '' : `, until ${episode.invalid_at}`;
  return [
    `${episode.entity_id} (${episode.entity_type} in ${episode.group})`,
    `  ${episode.name}`,
    `  true from ${episode.valid_at}${until}; written ${episode.created_at} by ${episode.source}`,
    ...JSON.stringify(episode.body, null, 2)
      .split('\n')
      .map((line) => `  ${line}`),
  ].join('\n');
}
