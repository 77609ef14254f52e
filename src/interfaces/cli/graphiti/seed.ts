import { z } from 'zod';
import { type SeededGroup, seedDefaults } from '../../../rules/seed-defaults.ts';
import { defineCommand } from '../cli-command.ts';

export const seed = defineCommand({
  name: 'seed',
  summary: 'write the built-in roles, quality gates and modes into the system groups',
  options: [
    ['--group <group>', 'only these groups', 'repeatable'],
    ['--force', 'also overwrite entities that somebody else changed'],
  ],
  changes: true,
  schema: z.object({
    group: z.array(z.string()).optional(),
    force: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { group, force, dryRun }) {
    const store = await context.store();
    const seeded = await seedDefaults(store, { groups: group, force, dryRun });
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

function describe({ group, created, updated, unchanged, kept }: SeededGroup, dryRun: boolean): string[] {
  const lines = [
    `${dryRun ? 'would seed ' : ''}${group}: ${created} created, ${updated} updated, ${unchanged} unchanged`,
  ];
  if (kept.length > 0) lines.push(`  kept as somebody changed them: ${kept.join(', ')} (--force overwrites)`);
  return lines;
}
