import * as z from 'zod';
import {
  BORROWING_TASK_TYPES,
  DEFAULT_QUALITY_GATE_CONFIGS,
  profileTaskType,
  qualityGateConfigSchema,
} from '../../domain/entities/quality-gate-config.ts';
import { type Fault, originOf, readYamlFile, type YamlResult } from '../yaml/yaml-file.ts';
import type { GateProfile } from './project-rules.ts';
import { findHoles, findOverlaps, GATE_FIELDS, locateGateValues } from './project-rules.ts';

/** `.guardkit/config/quality-gates.yaml`: profiles contain only the changed values. */
export const qualityGatesFileSchema = z.strictObject({
  quality_gate_configs: z
    .array(qualityGateConfigSchema.partial().required({ task_type: true, complexity_range: true }))
    .default([]),
});

const BUILT_IN_TYPES = new Set(DEFAULT_QUALITY_GATE_CONFIGS.map(({ task_type }) => task_type));

export async function readQualityGates(file: string): Promise<YamlResult<GateProfile[]>> {
  const result = await readYamlFile(file, qualityGatesFileSchema);
  if (!result.ok) return result;
  const { places } = result;
  const profiles = result.value.quality_gate_configs.map((config, index) => ({
    task_type: config.task_type,
    complexity_range: config.complexity_range,
    origin: originOf(file, places.placeOf(['quality_gate_configs', index])),
    values: locateGateValues(config, file, (field) =>
      places.placeOfKey(['quality_gate_configs', index, field]),
    ),
  }));
  const at = (index: number, field: string) => ({
    file,
    ...places.placeOfKey(['quality_gate_configs', index, field]),
  });
  const faults: Fault[] = [
    ...findOverlaps(profiles).map(({ index, message }) => ({
      ...at(index, 'complexity_range'),
      code: 'overlap',
      message,
    })),
    ...profiles.flatMap((profile, index) => {
      if (BORROWING_TASK_TYPES.includes(profile.task_type)) {
        const judgedAs = profileTaskType(profile.task_type);
        const message = `${profile.task_type} uses the ${judgedAs} profile; change ${judgedAs}`;
        return [{ ...at(index, 'task_type'), code: 'borrowed-profile', message }];
      }
      // Without a built-in profile, every value is required.
      if (BUILT_IN_TYPES.has(profile.task_type)) return [];
      const missing = GATE_FIELDS.filter((field) => field !== 'effective_from' && !(field in profile.values));
      const incomplete = missing.map((field) => ({
        ...at(index, 'task_type'),
        code: 'missing',
        message: `${field} is missing, and ${profile.task_type} has no built-in profile`,
      }));
      const first = profiles.findIndex(({ task_type }) => task_type === profile.task_type) === index;
      const holes = first ? findHoles(profiles, profile.task_type) : [];
      return [
        ...incomplete,
        ...holes.map((message) => ({
          ...at(index, 'complexity_range'),
          code: 'uncovered-complexity',
          message,
        })),
      ];
    }),
  ];
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: profiles, places };
}
