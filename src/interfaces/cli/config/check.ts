import { join, relative } from 'node:path';
import * as z from 'zod';
import { GUARDS_FOLDER, guardFileNames } from '../../../config/guard-files-stamp.ts';
import { projectConfigSchema } from '../../../config/project-config.ts';
import { entityOverridesPath, qualityGatesPath, readRuleFiles } from '../../../config/rule-files.ts';
import { type Fault, formatFault, readYamlFile } from '../../../config/yaml-file.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { findGitFolder } from '../../../platform/git-folder.ts';
import { findStaleRules } from '../../../rules/find-stale-rules.ts';
import { defineCommand } from '../cli-command.ts';
import { plural } from '../printable.ts';

export const check = defineCommand({
  name: 'check',
  summary: 'check this project’s configuration files, and list every fault at once',
  schema: z.object({}),
  async run(context) {
    const root = findGitFolder(context.cwd)?.root;
    if (root === undefined) throw notInProject();
    const configFile = join(root, '.guardkit', 'config.yaml');
    const config = await readYamlFile(configFile, projectConfigSchema);
    const rules = await readRuleFiles(root);
    // Loaded here, since every command would pay for it otherwise.
    const { readGuardSources } = await import('../../../guards/guard-sources.ts');
    const guards = await readGuardSources(root);
    const files = [
      ...[configFile, qualityGatesPath(root), entityOverridesPath(root)].map((file) => relative(root, file)),
      ...guardFileNames(root).map((name) => `${GUARDS_FOLDER}/${name}`),
    ];
    const faults = [
      ...(config.ok ? [] : config.faults),
      ...(rules.ok ? [] : rules.faults),
      ...guards.faults.filter((fault) => config.ok || fault.file !== configFile),
    ].map((fault) => ({ ...fault, file: relative(root, fault.file) }));
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
  if (faults.length === 0) return [`✓ no faults in ${files.join(', ')}`, ...notes].join('\n');
  return [...faults.map((fault) => `✗ ${formatFault(fault)}`), '', plural(faults.length, 'fault')].join('\n');
}

function notInProject(): GuardKitError {
  return new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: 'This folder is not in a git repository, so it has no configuration to check.',
    hint: 'Run the command inside the project.',
  });
}
