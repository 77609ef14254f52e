import { join, relative } from 'node:path';
import { GUARDS_FOLDER, guardFileNames } from '../config/guard-files/guard-files-stamp.ts';
import { readProjectConfig } from '../config/project/project-config.ts';
import { entityOverridesPath, qualityGatesPath, readRuleFiles } from '../config/rule-files/rule-files.ts';
import type { Fault } from '../config/yaml/yaml-file.ts';
import { readGuardSources } from './guard-sources.ts';

export interface ConfigFaults {
  /** What was looked at, relative to the project's folder. */
  files: string[];
  faults: Fault[];
}

/** Every fault in the files by which a person configures a project. */
export async function findConfigFaults(root: string): Promise<ConfigFaults> {
  const configFile = join(root, '.guardkit', 'config.yaml');
  const config = await readProjectConfig(root);
  const rules = await readRuleFiles(root);
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
  return { files, faults };
}
