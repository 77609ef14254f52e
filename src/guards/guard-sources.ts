import { join, relative } from 'node:path';
import type { GuardSettings } from '../config/guard-files/guard-file.ts';
import { GUARDS_FOLDER, guardFileNames } from '../config/guard-files/guard-files-stamp.ts';

import { type LocatedGuard, readGuardFiles, unknownGuardId } from '../config/guard-files/read-guard-files.ts';
import {
  type ProjectConfig,
  projectConfigSchema,
  readProjectConfig,
} from '../config/project/project-config.ts';
import { type RecordingSettings, recordingSettings } from '../config/project/recording-settings.ts';
import { entityOverridesPath, qualityGatesPath, readRuleFiles } from '../config/rule-files/rule-files.ts';
import { type Fault, readYamlFile } from '../config/yaml/yaml-file.ts';
import { BUILT_IN_GUARDS } from './built-in/built-in-guards.ts';

/** What a project's files say about guards, as data that can be kept. */
export interface GuardSources {
  settings: GuardSettings;
  /** `protected:` of the configuration. */
  globs: readonly string[];
  files: readonly LocatedGuard[];
  /** Left out by those who kept this before there was any. */
  keeping?: RecordingSettings;
  /** `shell:` of the configuration. */
  shell?: ProjectConfig['shell'];
  /** `trust:` of the configuration. */
  trust?: ProjectConfig['trust'];
  /** What a person has to mend. */
  faults: readonly Fault[];
}

/** Reads them. Where a file has faults, what it said when it was `last` read goes on holding. */
export async function readGuardSources(root: string, last?: GuardSources): Promise<GuardSources> {
  const file = join(root, '.guardkit', 'config.yaml');
  const config = await readYamlFile(file, projectConfigSchema);
  const builtIn = BUILT_IN_GUARDS.map(({ id }) => id);
  const { guards: files, faults } = await readGuardFiles(root, builtIn, last?.files);
  if (!config.ok) {
    const { settings = {}, globs = [], keeping = recordingSettings(undefined) } = last ?? {};
    return { settings, globs, files, keeping, faults: [...config.faults, ...faults] };
  }
  const settings = config.value.guards ?? {};
  const known = [...builtIn, ...files.map(({ definition }) => definition.id)];
  const unknown = Object.keys(settings).flatMap((id): Fault[] => {
    const message = unknownGuardId(id, known);
    if (message === undefined) return [];
    return [{ file, ...config.places.placeOfKey(['guards', id]), code: 'unknown-guard', message }];
  });
  return {
    settings,
    globs: config.value.protected ?? [],
    files,
    keeping: recordingSettings(config.value.learning),
    shell: config.value.shell,
    trust: config.value.trust,
    faults: [...unknown, ...faults],
  };
}

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
