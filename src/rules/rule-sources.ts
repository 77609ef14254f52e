import type { RuleFiles } from '../config/rule-files/rule-files.ts';
import type { ImplementationMode } from '../domain/entities/implementation-mode.ts';
import type { QualityGateConfig } from '../domain/entities/quality-gate-config.ts';
import type { RoleConstraints } from '../domain/entities/role-constraints.ts';

/** Whether the store could be asked; without it the built-in values hold and the reason is shown. */
export type Memory = { available: true } | { available: false; why: string };

/** The system groups as they are stored; empty where nothing was seeded or the store is away. */
export interface SystemRules {
  roles: readonly RoleConstraints[];
  gates: readonly QualityGateConfig[];
  modes: readonly ImplementationMode[];
}

/** Everything that rules are resolved from, loaded once and asked as often as needed. */
export interface RuleSources extends RuleFiles {
  memory: Memory;
  system: SystemRules;
}

export const NO_SYSTEM_RULES: SystemRules = { roles: [], gates: [], modes: [] };
