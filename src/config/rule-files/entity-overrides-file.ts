import * as z from 'zod';
import {
  BORROWING_TASK_TYPES,
  DEFAULT_QUALITY_GATE_CONFIGS,
  profileTaskType,
  qualityGateConfigSchema,
} from '../../domain/entities/quality-gate-config.ts';
import { ROLES } from '../../domain/entities/role-constraints.ts';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { type Fault, originOf, type Places, readYamlFile, type YamlResult } from '../yaml/yaml-file.ts';
import type { GateOverride, Located, RoleOverrides } from './project-rules.ts';
import { findOverlaps, locateGateValues } from './project-rules.ts';

/** Removes the final line break of a YAML block. */
const statements = z.array(z.string().trim().min(1)).optional();

const roleOverridesSchema = z.strictObject({
  must_do_additions: statements,
  must_do_removals: statements,
  must_not_do_additions: statements,
  must_not_do_removals: statements,
  ask_before_additions: statements,
  ask_before_removals: statements,
  escalate_when_additions: statements,
  escalate_when_removals: statements,
});

const gateOverrideSchema = qualityGateConfigSchema
  .omit({ task_type: true })
  .partial()
  .required({ complexity_range: true });

/** `.guardkit/config/entity-overrides.yaml`. */
export const entityOverridesFileSchema = z.strictObject({
  role_constraints: z.partialRecord(z.enum(ROLES), roleOverridesSchema).optional(),
  quality_gate_configs: z
    .record(z.string(), z.strictObject({ overrides: z.array(gateOverrideSchema).default([]) }))
    .optional(),
});

type OverridesFile = z.infer<typeof entityOverridesFileSchema>;

export interface EntityOverrides {
  roles: RoleOverrides[];
  gates: GateOverride[];
}

/** `ownTypes`: task types that the project's quality-gates.yaml adds; undefined if that file has faults. */
export async function readEntityOverrides(
  file: string,
  ownTypes: readonly string[] | undefined,
): Promise<YamlResult<EntityOverrides>> {
  const result = await readYamlFile(file, entityOverridesFileSchema);
  if (!result.ok) return result;
  const { value, places } = result;
  const faults = gateFaults(value, file, places, ownTypes);
  if (faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    places,
    value: { roles: locateRoles(value, file, places), gates: locateGates(value, file, places) },
  };
}

function locateRoles(
  { role_constraints = {} }: OverridesFile,
  file: string,
  { placeOf }: Places,
): RoleOverrides[] {
  return ROLES.flatMap((role) => {
    const overrides = role_constraints[role];
    if (!overrides) return [];
    const located = (key: keyof typeof overrides): Located<string>[] =>
      (overrides[key] ?? []).map((value, index) => ({
        value,
        origin: originOf(file, placeOf(['role_constraints', role, key, index])),
      }));
    return [
      {
        role,
        additions: {
          must_do: located('must_do_additions'),
          must_not_do: located('must_not_do_additions'),
          ask_before: located('ask_before_additions'),
          escalate_when: located('escalate_when_additions'),
        },
        removals: {
          must_do: located('must_do_removals'),
          must_not_do: located('must_not_do_removals'),
          ask_before: located('ask_before_removals'),
          escalate_when: located('escalate_when_removals'),
        },
      },
    ];
  });
}

function locateGates(
  { quality_gate_configs = {} }: OverridesFile,
  file: string,
  { placeOfKey }: Places,
): GateOverride[] {
  return Object.entries(quality_gate_configs).flatMap(([task_type, { overrides }]) =>
    overrides.map((override, index) => ({
      task_type,
      complexity_range: override.complexity_range,
      values: locateGateValues(override, file, (field) =>
        placeOfKey(['quality_gate_configs', task_type, 'overrides', index, field]),
      ),
    })),
  );
}

function gateFaults(
  { quality_gate_configs = {} }: OverridesFile,
  file: string,
  { placeOfKey }: Places,
  ownTypes: readonly string[] | undefined,
): Fault[] {
  const known = [
    ...new Set([...DEFAULT_QUALITY_GATE_CONFIGS.map(({ task_type }) => task_type), ...(ownTypes ?? [])]),
  ];
  return Object.entries(quality_gate_configs).flatMap(([task_type, { overrides }]) => {
    const wrongType = typeFault(task_type, known, ownTypes !== undefined);
    const overlaps = findOverlaps(overrides.map(({ complexity_range }) => ({ task_type, complexity_range })));
    return [
      ...(wrongType ? [{ file, ...placeOfKey(['quality_gate_configs', task_type]), ...wrongType }] : []),
      ...overlaps.map(({ index, message }) => ({
        file,
        ...placeOfKey(['quality_gate_configs', task_type, 'overrides', index, 'complexity_range']),
        code: 'overlap',
        message,
      })),
    ];
  });
}

function typeFault(
  taskType: string,
  known: readonly string[],
  complete: boolean,
): Pick<Fault, 'code' | 'message'> | undefined {
  if (known.includes(taskType)) return undefined;
  if (BORROWING_TASK_TYPES.includes(taskType)) {
    const judgedAs = profileTaskType(taskType);
    return {
      code: 'borrowed-profile',
      message: `${taskType} uses the ${judgedAs} profile; override ${judgedAs}`,
    };
  }
  const meant = nearestWord(taskType, known);
  // It may be a type of the unreadable file, so this is not a fault.
  if (!complete && meant === undefined) return undefined;
  return {
    code: 'unknown-task-type',
    message: `unknown task type "${taskType}"${didYouMean(meant, '(') || `; known: ${known.join(', ')}`}`,
  };
}
