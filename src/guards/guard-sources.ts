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

/** A project's guard configuration, as storable data. */
export interface GuardSources {
  settings: GuardSettings;
  /** `protected:` of the configuration. */
  globs: readonly string[];
  files: readonly LocatedGuard[];
  /** Absent in data stored by earlier versions. */
  recording?: RecordingSettings;
  /** `shell:` of the configuration. */
  shell?: ProjectConfig['shell'];
  /** `trust:` of the configuration. */
  trust?: ProjectConfig['trust'];
  /** Faults for a person to fix. */
  faults: readonly Fault[];
}

/** Reads a project's guard configuration. For a file with faults, the `last` valid version stays in effect. */
export async function readGuardSources(root: string, last?: GuardSources): Promise<GuardSources> {
  const file = join(root, '.guardkit', 'config.yaml');
  const config = await readYamlFile(file, projectConfigSchema);
  const builtIn = BUILT_IN_GUARDS.map(({ id }) => id);
  const { guards: files, faults } = await readGuardFiles(root, builtIn, last?.files);
  if (!config.ok) {
    const { settings = {}, globs = [], recording = recordingSettings(undefined) } = last ?? {};
    return { settings, globs, files, recording, faults: [...config.faults, ...faults] };
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
    recording: recordingSettings(config.value.learning),
    shell: config.value.shell,
    trust: config.value.trust,
    faults: [...unknown, ...faults],
  };
}

export interface ConfigFaults {
  /** The checked files, relative to the project. */
  files: string[];
  faults: Fault[];
}

/** All faults in a project's configuration files. */
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
