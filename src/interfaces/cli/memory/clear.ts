import { join } from 'node:path';
import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { shellWord } from '../../../platform/processes/shell-word.ts';
import { plural } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';
import { writeExport } from './export.ts';
import { assertMayChange, confirmChange, resolveGroups } from './groups.ts';
import { describeRemoved } from './recorded-episodes.ts';

export const clear = defineCommand({
  name: 'clear',
  summary: 'Archive a group to a file, then delete it',
  options: [
    ['--group <group>', 'Group, in the system and this project (required)'],
    ['--confirm', 'Confirm the deletion'],
    ['--no-archive', 'Do not archive a copy'],
  ],
  changes: true,
  schema: z.object({
    group: z.string('required: a group'),
    confirm: z.boolean().default(false),
    archive: z.boolean().default(true),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { group, confirm, archive, dryRun }) {
    const workspace = await context.workspace();
    const groups = resolveGroups(workspace, group);
    assertMayChange(context, groups, 'clear');
    const store = await context.store();
    const counts = (await store.counts()).filter((count) => groups.includes(count.group));
    const versions = counts.reduce((sum, count) => sum + count.versions, 0);
    if (dryRun) {
      return {
        json: { groups, versions, dry_run: true },
        text: `would remove ${plural(versions, 'version')} from ${groups.join(' and ')}`,
      };
    }
    if (!confirm) throw notConfirmed(versions, groups);
    await confirmChange(context, groups, 'clear', [await describeRemoved(store, groups)]);
    const copy = archive && versions > 0 ? join(workspace.home, 'archive', archiveName(groups)) : null;
    if (copy) await writeExport(copy, store.export({ groups }));
    let removed = 0;
    for (const name of groups) removed += await store.purge(name);
    return {
      json: { groups, removed, archive: copy },
      text: [
        `removed ${plural(removed, 'version')} from ${groups.join(' and ')}`,
        ...(copy ? [`restore them with: guardkit memory import ${shellWord(copy)}`] : []),
      ].join('\n'),
    };
  },
});

function archiveName(groups: readonly string[]): string {
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  return `cleared-${groups.at(-1)}-${time}.jsonl`;
}

function notConfirmed(versions: number, groups: readonly string[]): GuardKitError {
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `This would remove ${plural(versions, 'version')} from ${groups.join(' and ')}; nothing removed.`,
    hint: 'Add --confirm to delete, or --dry-run to preview.',
  });
}
