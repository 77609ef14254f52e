import * as z from 'zod';
import { defineCommand } from '../program/cli-command.ts';

export const importFeatures = defineCommand({
  name: 'import',
  summary:
    'add the features of a file: our list, Anthropic’s quickstart feature_list.json, or a Markdown checklist',
  arguments: [['<file>', 'the file, or - for standard input']],
  changes: true,
  schema: z.object({ file: z.string().min(1), dryRun: z.boolean().default(false) }),
  async run(context, { file, dryRun }) {
    const { runImport } = await import('./run-import.ts');
    return runImport(context, file, dryRun);
  },
});
