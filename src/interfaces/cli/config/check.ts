import * as z from 'zod';
import { type Fault, formatFault } from '../../../config/yaml/yaml-file.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import { findStaleRules } from '../../../rules/find-stale-rules.ts';
import { plural } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';

export const check = defineCommand({
  name: 'check',
  summary: 'Check this project’s configuration files',
  schema: z.object({}),
  async run(context) {
    const root = findGitFolder(context.cwd)?.root;
    if (root === undefined) throw notInProject();
    // Loaded here, so that other commands start fast.
    const { findConfigFaults } = await import('../../../guards/guard-sources.ts');
    const { files, faults } = await findConfigFaults(root);
    const warnings = faults.length > 0 ? [] : await findStaleRules(await context.workspace());
    return {
      json: { ok: faults.length === 0, files, faults, warnings },
      text: describe(files, faults, warnings),
      exitCode: faults.length === 0 ? 0 : 1,
    };
  },
});

function describe(files: readonly string[], faults: readonly Fault[], warnings: readonly string[]): string {
  const notes = warnings.map((warning) => `! ${warning}`);
  if (faults.length === 0) return [`✓ no errors in ${files.join(', ')}`, ...notes].join('\n');
  return [...faults.map((fault) => `✗ ${formatFault(fault)}`), '', plural(faults.length, 'error')].join('\n');
}

function notInProject(): GuardKitError {
  return new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: 'This folder is not in a git repository, so it has no configuration to check.',
    hint: 'Run the command inside the project.',
  });
}
