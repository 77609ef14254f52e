import * as z from 'zod';
import { MAX_LIST_BYTES } from '../../../domain/feature-list/feature-list.ts';
import type { ImportedFeatures } from '../../../enforcement/feature-list/import/imported-features.ts';
import { readImport } from '../../../enforcement/feature-list/import/read-import.ts';
import { describeMissing, planImport } from '../../../enforcement/feature-list/plan-feature-edit.ts';
import { describeListFaults } from '../../../enforcement/feature-list/record-list-violation.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { inputName, readText } from '../input/read-text.ts';
import { oneLine, plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { changeFeatures, tryFeatureChange } from './change-features.ts';

export const importFeatures = defineCommand({
  name: 'import',
  summary: 'Import features from JSON or a Markdown checklist',
  arguments: [['<file>', 'File, or - for standard input']],
  changes: true,
  schema: z.object({ file: z.string().min(1), dryRun: z.boolean().default(false) }),
  async run(context, { file, dryRun }) {
    return runImport(context, file, dryRun);
  },
});

const SHOWN = 20;
const FORMS =
  'Import a list like .claude/progress/feature-list.json, a quickstart feature_list.json, or a Markdown checklist.';

async function runImport(context: CliContext, file: string, dryRun: boolean): Promise<Report> {
  const imported = await readFeaturesOf(context, file);
  const change = dryRun ? tryFeatureChange : changeFeatures;
  const { current, changed, notices } = await change(context, (features, editor, tasks) =>
    planImport(features, tasks, imported, editor),
  );
  const added = new Set(changed.map(({ id }) => id));
  const known = imported.features.map(({ id }) => id).filter((id) => !added.has(id));
  const claimed = imported.claimed.filter((id) => added.has(id));
  return {
    json: { format: imported.format, added: [...added], known, untested: claimed, dry_run: dryRun },
    text: [
      `${dryRun ? 'Would add' : 'Added'} ${plural(added.size, 'feature')}${describeKnown(known.length)}`,
      ...changed.slice(0, SHOWN).map(({ id, description }) => {
        const row = `  ${id}  `;
        return row + oneLine(description, context.width - row.length);
      }),
      ...(changed.length > SHOWN ? [`  and ${changed.length - SHOWN} more`] : []),
    ].join('\n'),
    notices: [...notices, ...describeClaims(claimed), ...describeMissing(current, changed).slice(0, SHOWN)],
  };
}

async function readFeaturesOf(context: CliContext, file: string): Promise<ImportedFeatures> {
  const text = await readText(context, file, { maxBytes: MAX_LIST_BYTES, hint: FORMS });
  const reading = readImport(text);
  const faults = reading.ok ? reading.imported.faults : [];
  if (reading.ok && faults.length === 0) return reading.imported;
  throw new GuardKitError({
    code: 'import.unreadable',
    kind: 'input',
    message: `${inputName(file)} cannot be imported: ${reading.ok ? describeListFaults(faults) : reading.why}.`,
    hint: [...new Set(faults.map(({ guidance }) => guidance)), FORMS].slice(-4).join(' '),
    faults,
  });
}

function describeKnown(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? '; 1 already exists and was not changed'
    : `; ${count} already exist and were not changed`;
}

function describeClaims(claimed: readonly string[]): string[] {
  if (claimed.length === 0) return [];
  const subject = claimed.length === 1 ? 'feature is' : 'features are';
  return [
    `${claimed.length} ${subject} marked as passed; imported as untested, because there is no evidence. Run \`guardkit verify ID\`.`,
  ];
}
