import * as z from 'zod';
import { canonicalJson } from '../../../domain/json/json.ts';
import { systemSeedGroups } from '../../../rules/seed-groups.ts';
import { parseExport } from '../../../store/export-file.ts';
import { inputName, readText } from '../input/read-text.ts';
import { plural } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';
import { assertMayChange, confirmChange } from './groups.ts';
import { describeClaims, describeReplaced } from './recorded-episodes.ts';

/** About the longest string in Node. */
const MAX_BYTES = 500_000_000;

export const importCommand = defineCommand({
  name: 'import',
  summary: 'Import an export, all or nothing; safe to repeat',
  arguments: [['<file>', 'File from `memory export`, or - for standard input']],
  changes: true,
  schema: z.object({ file: z.string(), dryRun: z.boolean().default(false) }),
  async run(context, { file, dryRun }) {
    const text = await readText(context, file, {
      maxBytes: MAX_BYTES,
      hint: 'Use a file from `guardkit memory export --out FILE`.',
    });
    const store = await context.store();
    const records = parseExport(text, inputName(file), store.entityTypes);
    const episodes = records.filter((record) => record.kind === 'episode');
    const groups = [...new Set(episodes.map(({ group }) => group))];
    if (dryRun)
      return {
        json: { records: records.length, groups, dry_run: true },
        text: `${inputName(file)} is valid: would import ${plural(records.length, 'record')} of ${groups.join(', ') || 'no group'}`,
      };
    // Records that seeding would write need no confirmation.
    const builtIn = builtInBodies();
    const changing = episodes.filter(({ group, body }) => !builtIn.has(`${group} ${canonicalJson(body)}`));
    const changed = changing.map(({ group }) => group);
    assertMayChange(context, changed, 'import into');
    await confirmChange(context, changed, 'import into', [
      describeClaims(changing),
      await describeReplaced(store, changing),
    ]);
    const { added, unchanged } = await store.import(records);
    return { json: { added, unchanged }, text: `${added} added, ${unchanged} unchanged` };
  },
});

function builtInBodies(): Set<string> {
  return new Set(
    systemSeedGroups().flatMap(({ group, bodies }) =>
      bodies.map((body) => `${group} ${canonicalJson(body)}`),
    ),
  );
}
