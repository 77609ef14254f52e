import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { defineCommand } from '../program/cli-command.ts';

export const merge = defineCommand({
  name: 'merge',
  summary:
    'merge two versions of the architecture graph by node and edge, as a merge driver of git: `guardkit knowledge merge %O %A %B`',
  arguments: [
    ['[base]', 'the version that both come from'],
    ['[ours]', 'our version; the result is written here'],
    ['[theirs]', 'their version'],
  ],
  options: [
    ['--print', 'print the result instead of writing it'],
    ['--install', 'instead of merging, tell git to merge the graph of this repository so'],
  ],
  changes: true,
  schema: z.object({
    base: z.string().min(1).optional(),
    ours: z.string().min(1).optional(),
    theirs: z.string().min(1).optional(),
    print: z.boolean().default(false),
    install: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { base, ours, theirs, print, install, dryRun }) {
    const files = [base, ours, theirs].filter((file) => file !== undefined);
    if (install ? files.length > 0 || print : files.length < 3) throw wrongUse();
    if (install) {
      const { runMergeInstall } = await import('./run-merge-install.ts');
      return runMergeInstall(context, { dryRun });
    }
    const { runMerge } = await import('./run-merge.ts');
    const [first = '', second = '', third = ''] = files;
    return runMerge(context, { base: first, ours: second, theirs: third, print, dryRun });
  },
});

function wrongUse(): GuardKitError {
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: 'Either three files are merged, or --install is given alone.',
    hint: 'Run `guardkit knowledge merge BASE OURS THEIRS`, or `guardkit knowledge merge --install`.',
  });
}
