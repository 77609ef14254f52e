import { originOf, type Place } from '../yaml/yaml-file.ts';
import type { GateField, GateValues, LocatedGateValues } from './project-rules.ts';

export const GATE_FIELDS = [
  'arch_review_required',
  'arch_review_threshold',
  'coverage_required',
  'coverage_threshold',
  'tests_required',
  'tests_must_pass',
  'effective_from',
] as const satisfies readonly GateField[];

/** The values that are set, each with the file and line it stands on. */
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
