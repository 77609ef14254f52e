import { join } from 'node:path';
import type { Fault } from '../yaml/yaml-file.ts';
import { readEntityOverrides } from './entity-overrides-file.ts';
import type { GateOverride, GateProfile, RoleOverrides } from './project-rules.ts';
import { readQualityGates } from './quality-gates-file.ts';

/** The rules in a project's files. */
export interface RuleFiles {
  gates: GateProfile[];
  gateOverrides: GateOverride[];
  roleOverrides: RoleOverrides[];
}

export const NO_RULE_FILES: RuleFiles = { gates: [], gateOverrides: [], roleOverrides: [] };

export function qualityGatesPath(root: string): string {
  return join(root, '.guardkit', 'config', 'quality-gates.yaml');
}

export function entityOverridesPath(root: string): string {
  return join(root, '.guardkit', 'config', 'entity-overrides.yaml');
}

/** Reads both files and collects all their faults. */
export async function readRuleFiles(
  root: string,
): Promise<{ ok: true; value: RuleFiles } | { ok: false; faults: Fault[] }> {
  const gates = await readQualityGates(qualityGatesPath(root));
  const ownTypes = gates.ok ? gates.value.map(({ task_type }) => task_type) : undefined;
  const overrides = await readEntityOverrides(entityOverridesPath(root), ownTypes);
  if (gates.ok && overrides.ok) {
    const { roles, gates: gateOverrides } = overrides.value;
    return { ok: true, value: { gates: gates.value, gateOverrides, roleOverrides: roles } };
  }
  return {
    ok: false,
    faults: [...(gates.ok ? [] : gates.faults), ...(overrides.ok ? [] : overrides.faults)],
  };
}
