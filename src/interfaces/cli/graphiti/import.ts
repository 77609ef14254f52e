import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { parseExport } from '../../../store/export-file.ts';
import { defineCommand } from '../cli-command.ts';
import { plural } from '../printable.ts';
import { requirePersonFor } from './groups.ts';

export const importCommand = defineCommand({
  name: 'import',
  summary: 'read an export back in: all of it or nothing, and the same file twice changes nothing',
  arguments: [['<file>', 'a file made by export']],
  changes: true,
  schema: z.object({ file: z.string(), dryRun: z.boolean().default(false) }),
  async run(context, { file, dryRun }) {
    const store = await context.store();
    const records = parseExport(readFile(file), file, store.entityTypes);
    const groups = records.flatMap((record) => (record.kind === 'episode' ? [record.group] : []));
    await requirePersonFor(context, groups, 'import into');
    if (dryRun)
      return {
        json: { records: records.length, dry_run: true },
        text: `would import ${plural(records.length, 'record')}`,
      };
    const { added, unchanged } = await store.import(records);
    return { json: { added, unchanged }, text: `${added} added, ${unchanged} already here` };
  },
});

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new GuardKitError({
      code: 'file.unreadable',
      kind: 'input',
      message: `${file} cannot be read: ${error instanceof Error ? error.message : error}`,
      hint: 'Give a file that `guardkit graphiti export --out FILE` wrote.',
      cause: error,
    });
  }
}
