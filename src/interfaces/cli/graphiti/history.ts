import { z } from 'zod';
import type { Episode } from '../../../domain/episode.ts';
import { defineCommand } from '../cli-command.ts';
import { printable } from '../printable.ts';
import { type Change, diffBodies } from './diff-bodies.ts';
import { visibleGroups } from './groups.ts';

interface Version {
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
  summary: 'what changed when, version by version',
  arguments: [['<id>', 'an entity id']],
  schema: z.object({ id: z.string() }),
  async run(context, { id }) {
    const store = await context.store();
    const histories = await Promise.all(
      visibleGroups(await context.workspace()).map((group) => store.history(group, id)),
    );
    const versions = histories.flatMap(toVersions);
    return {
      json: { entity_id: id, versions },
      text:
        versions.length > 0
          ? versions.map(describe).join('\n')
          : `Nothing here was ever called ${printable(id)}.`,
      exitCode: versions.length > 0 ? 0 : 1,
    };
  },
});

function toVersions(episodes: readonly Episode[]): Version[] {
  return episodes.map((episode, index) => ({
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
  return printable(
    [
      `${version.valid_at}  ${version.group}, by ${version.source} (${state})`,
      ...version.changes.map(({ path, before, after }) => {
        if (before === undefined) return `  + ${path}: ${JSON.stringify(after)}`;
        if (after === undefined) return `  - ${path}: ${JSON.stringify(before)}`;
        return `  ~ ${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`;
      }),
    ].join('\n'),
  );
}
