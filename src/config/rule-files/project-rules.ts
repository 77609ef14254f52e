import { type ComplexityRange, MAX_COMPLEXITY, MIN_COMPLEXITY } from '../../domain/complexity.ts';
import type { QualityGateConfig } from '../../domain/entities/quality-gate-config.ts';
import type { ROLES } from '../../domain/entities/role-constraints.ts';
import { originOf, type Place } from '../yaml/yaml-file.ts';

/** A value with its file and line. */
export interface Located<Value> {
  value: Value;
  origin: string;
}

/** The values of a profile, without its selectors. */
export type GateValues = Omit<QualityGateConfig, 'task_type' | 'complexity_range'>;
export type GateField = keyof GateValues;

export type LocatedGateValues = { [Field in GateField]?: Located<GateValues[Field]> };

/** A profile of quality-gates.yaml; missing fields come from lower layers. */
export interface GateProfile {
  task_type: string;
  complexity_range: ComplexityRange;
  origin: string;
  values: LocatedGateValues;
}

/** An override of entity-overrides.yaml, for every complexity in its range. */
export interface GateOverride {
  task_type: string;
  complexity_range: ComplexityRange;
  values: LocatedGateValues;
}

export const ROLE_LISTS = ['must_do', 'must_not_do', 'ask_before', 'escalate_when'] as const;
export type RoleList = (typeof ROLE_LISTS)[number];

export interface RoleOverrides {
  role: (typeof ROLES)[number];
  additions: Record<RoleList, readonly Located<string>[]>;
  removals: Record<RoleList, readonly Located<string>[]>;
}

export const GATE_FIELDS = [
  'arch_review_required',
  'arch_review_threshold',
  'coverage_required',
  'coverage_threshold',
  'tests_required',
  'tests_must_pass',
  'effective_from',
] as const satisfies readonly GateField[];

/** The values that are set, each with its file and line. */
export function locateGateValues(
  values: Partial<GateValues>,
  file: string,
  placeOf: (field: GateField) => Place,
): LocatedGateValues {
  const set = GATE_FIELDS.filter((field) => values[field] !== undefined);
  return Object.fromEntries(
    set.map((field) => [field, { value: values[field], origin: originOf(file, placeOf(field)) }]),
  );
}

interface Ranged {
  task_type: string;
  complexity_range: ComplexityRange;
}

/** Overlapping ranges of one task type, for which two profiles would apply. */
export function findOverlaps(ranged: readonly Ranged[]): { index: number; message: string }[] {
  return ranged.flatMap((one, index) => {
    const [low, high] = one.complexity_range;
    const other = ranged
      .slice(0, index)
      .find(
        ({ task_type, complexity_range: [a, b] }) => task_type === one.task_type && a <= high && low <= b,
      );
    if (!other) return [];
    const message = `the range ${low}–${high} of ${one.task_type} overlaps ${other.complexity_range.join('–')} above`;
    return [{ index, message }];
  });
}

/** Complexities not covered by the ranges of a task type. */
export function findHoles(ranged: readonly Ranged[], taskType: string): string[] {
  const own = ranged.filter(({ task_type }) => task_type === taskType);
  const missing: number[] = [];
  for (let complexity = MIN_COMPLEXITY; complexity <= MAX_COMPLEXITY; complexity++) {
    if (!own.some(({ complexity_range: [low, high] }) => low <= complexity && complexity <= high))
      missing.push(complexity);
  }
  if (missing.length === 0) return [];
  return [
    `${taskType} has no profile for complexity ${missing.join(', ')}; the ranges must cover ${MIN_COMPLEXITY} to ${MAX_COMPLEXITY}`,
  ];
}
