import { DEFAULT_IMPLEMENTATION_MODES, implementationMode } from './entities/implementation-mode.ts';
import { DEFAULT_QUALITY_GATE_CONFIGS, qualityGateConfig } from './entities/quality-gate-config.ts';
import { DEFAULT_ROLE_CONSTRAINTS, roleConstraints } from './entities/role-constraints.ts';
import type { JsonObject } from './json/json.ts';

export interface DefaultGroup {
  group: string;
  entity_type: string;
  bodies: readonly JsonObject[];
}

/** The built-in values of each system group: what `seed` writes and what holds when the store is away. */
export const DEFAULT_GROUPS: readonly DefaultGroup[] = [
  { group: 'role_constraints', entity_type: roleConstraints.type, bodies: DEFAULT_ROLE_CONSTRAINTS },
  {
    group: 'quality_gate_configs',
    entity_type: qualityGateConfig.type,
    bodies: DEFAULT_QUALITY_GATE_CONFIGS,
  },
  {
    group: 'implementation_modes',
    entity_type: implementationMode.type,
    bodies: DEFAULT_IMPLEMENTATION_MODES,
  },
];
