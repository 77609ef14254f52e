import * as z from 'zod';
import { architectureNodeId } from '../../../domain/entities/architecture-node.ts';
import type { Episode } from '../../../domain/entities/episode.ts';
import { type Change, diffBodies } from '../../../domain/json/diff-bodies.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import { defineCommand } from '../program/cli-command.ts';
import { leftOut, visibleGroups } from './groups.ts';

interface Version {
  entity_id: string;
  group: string;
  uuid: string;
  source: string;
  valid_at: string;
  invalid_at: string | null;
  created_at: string;
  expired_at: string | null;
  changes: Change[];
}

export const history = defineCommand({
  name: 'history',
  summary: 'Show every version of an entity',
  arguments: [['<id>', 'Entity id, TURN-FEATURE-N, or a node of the graph']],
  schema: z.object({ id: z.string() }),
  async run(context, { id }) {
    const workspace = await context.workspace();
    const store = await context.store();
    const histories = await findHistories(store, id, visibleGroups(workspace));
    const versions = histories.flatMap(toVersions);
    return {
      json: { entity_id: id, versions },
      text:
        versions.length > 0
          ? versions.map(describe).join('\n')
          : [
              `No entity ${id}, past or present.`,
              'Search with `guardkit memory search`.',
              ...leftOut(workspace),
            ].join('\n'),
      exitCode: versions.length > 0 ? 0 : 1,
    };
  },
});

/** The exact id first, which also finds deleted entities; else the current entities of a short form. */
async function findHistories(
  store: EpisodeStore,
  id: string,
  groups: readonly string[],
): Promise<Episode[][]> {
  // A node of the architecture graph is found by its name.
  for (const name of [id, architectureNodeId(id)]) {
    const exact = await Promise.all(groups.map((group) => store.history(group, name)));
    if (exact.some((episodes) => episodes.length > 0)) return exact;
  }
  const named = await store.find(id, { groups });
  return Promise.all(named.map((episode) => store.history(episode.group, episode.entity_id)));
}

function toVersions(episodes: readonly Episode[]): Version[] {
  return episodes.map((episode, index) => ({
    entity_id: episode.entity_id,
    group: episode.group,
    uuid: episode.uuid,
    source: episode.source,
    valid_at: episode.valid_at,
    invalid_at: episode.invalid_at,
    created_at: episode.created_at,
    expired_at: episode.expired_at,
    changes: diffBodies(episodes[index - 1]?.body ?? {}, episode.body),
  }));
}

function describe(version: Version): string {
  const state = version.expired_at === null ? 'current' : `replaced or deleted ${version.expired_at}`;
  return [
    `${version.valid_at}  ${version.entity_id} in ${version.group}, by ${version.source} (${state})`,
    ...version.changes.map(({ path, before, after }) => {
      if (before === undefined) return `  + ${path}: ${JSON.stringify(after)}`;
      if (after === undefined) return `  - ${path}: ${JSON.stringify(before)}`;
      return `  ~ ${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`;
    }),
  ].join('\n');
}
