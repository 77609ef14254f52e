import * as z from 'zod';
import { loadRuleSources } from '../../../rules/load-rule-sources.ts';
import {
  projectSeedGroup,
  type SeededGroup,
  type SeedGroup,
  seedGroups,
  selectSeedGroups,
  systemSeedGroups,
} from '../../../rules/seed-groups.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import { defineCommand } from '../program/cli-command.ts';

export const seed = defineCommand({
  name: 'seed',
  summary: 'Copy built-in rules and project gates to the store',
  options: [
    ['--group <group>', 'Only this group', 'repeatable'],
    ['--force', 'Also overwrite entities that others changed'],
  ],
  changes: true,
  schema: z.object({
    group: z.array(z.string()).optional(),
    force: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { group, force, dryRun }) {
    const { root, project, store: settings } = await context.workspace();
    const sources = await loadRuleSources(root, settings);
    const store = await context.store();
    const own = project.known ? [projectSeedGroup(project.id, sources)] : [];
    const groups = selectSeedGroups([...systemSeedGroups(), ...(await withSomething(store, own))], group);
    const seeded = await seedGroups(store, groups, { force, dryRun });
    return {
      json: {
        groups: seeded.map(({ group: name, created, updated, unchanged }) => ({
          group: name,
          created,
          updated,
          unchanged,
        })),
        total: seeded.reduce((sum, one) => sum + one.created + one.updated + one.unchanged, 0),
      },
      text: seeded.flatMap((one) => describe(one, dryRun)).join('\n'),
    };
  },
});

/** Skips a project that never had gates of its own. */
async function withSomething(store: EpisodeStore, groups: readonly SeedGroup[]): Promise<SeedGroup[]> {
  const stored = await Promise.all(groups.map(({ group }) => store.list(group, { limit: 1 })));
  return groups.filter(({ bodies }, index) => bodies.length > 0 || (stored[index]?.length ?? 0) > 0);
}

function describe(
  { group, created, updated, unchanged, kept, ended }: SeededGroup,
  dryRun: boolean,
): string[] {
  const lines = [
    `${dryRun ? 'would seed ' : ''}${group}: ${created} created, ${updated} updated, ${unchanged} unchanged`,
  ];
  if (kept.length > 0)
    lines.push(`  kept, because they were changed: ${kept.join(', ')} (--force overwrites them)`);
  if (ended.length > 0) lines.push(`  ended, because they are no longer in the file: ${ended.join(', ')}`);
  return lines;
}
