import type { ComplexityRange } from '../../domain/complexity.ts';
import type { QualityGateConfig } from '../../domain/entities/quality-gate-config.ts';
import type { ROLES } from '../../domain/entities/role-constraints.ts';

/** A value from a file, with the file and line it stands on. */
export interface Located<Value> {
  value: Value;
  origin: string;
}

/** The values that a profile sets, without what it is chosen by. */
export type GateValues = Omit<QualityGateConfig, 'task_type' | 'complexity_range'>;
export type GateField = keyof GateValues;

export type LocatedGateValues = { [Field in GateField]?: Located<GateValues[Field]> };

/** A profile of quality-gates.yaml; fields it leaves out come from below. */
export interface GateProfile {
  task_type: string;
  complexity_range: ComplexityRange;
  origin: string;
  values: LocatedGateValues;
}

/** An override of entity-overrides.yaml: holds for every complexity in its range. */
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
