import { statSync } from 'node:fs';
import type * as z from 'zod';
import type { StoreSettings } from '../config/project/workspace.ts';
import { NO_RULE_FILES, type RuleFiles, readRuleFiles } from '../config/rule-files/rule-files.ts';
import { requireValid } from '../config/yaml/yaml-file.ts';
import type { Episode } from '../domain/entities/episode.ts';
import { type ImplementationMode, implementationModeSchema } from '../domain/entities/implementation-mode.ts';
import { type QualityGateConfig, qualityGateConfigSchema } from '../domain/entities/quality-gate-config.ts';
import { type RoleConstraints, roleConstraintsSchema } from '../domain/entities/role-constraints.ts';
import type { EpisodeStore } from '../store/episode-store.ts';
import { askStore } from './ask-store.ts';

/** Whether the store is available; without it the built-in values apply and `why` is shown. */
export type Memory = { available: true } | { available: false; why: string };

/** The stored system groups; empty if never seeded or the store is unavailable. */
interface SystemRules {
  roles: readonly RoleConstraints[];
  gates: readonly QualityGateConfig[];
  modes: readonly ImplementationMode[];
}

/** Everything that rules are resolved from. */
export interface RuleSources extends RuleFiles {
  memory: Memory;
  system: SystemRules;
}

export const NO_SYSTEM_RULES: SystemRules = { roles: [], gates: [], modes: [] };

/** Loads the project's rule files, which must be valid, and the system groups, if the store is available. */
export async function loadRuleSources(
  root: string | undefined,
  settings: StoreSettings,
): Promise<RuleSources> {
  const files = root === undefined ? NO_RULE_FILES : requireValid(await readRuleFiles(root));
  return { ...files, ...(await loadSystemRules(settings)) };
}

async function loadSystemRules(settings: StoreSettings): Promise<{ memory: Memory; system: SystemRules }> {
  if (settings.url === undefined && !isThere(settings.path)) {
    return away(`no store at ${settings.path} yet; \`guardkit init\` or \`guardkit memory seed\` creates it`);
  }
  // Without the store the built-in values are used; seeding writes the same ones.
  const answer = await askStore(settings, querySystemRules);
  return answer.ok ? { memory: { available: true }, system: answer.value } : away(answer.why);
}

export async function querySystemRules(store: EpisodeStore): Promise<SystemRules> {
  const [roles, gates, modes] = await Promise.all(
    ['role_constraints', 'quality_gate_configs', 'implementation_modes'].map((group) => store.list(group)),
  );
  return {
    roles: bodies(roles, roleConstraintsSchema),
    gates: bodies(gates, qualityGateConfigSchema),
    modes: bodies(modes, implementationModeSchema),
  };
}

/** The cast is safe: the store parsed each body by this schema. */
function bodies<Schema extends z.ZodType>(
  episodes: readonly Episode[] = [],
  _schema: Schema,
): z.infer<Schema>[] {
  return episodes.map(({ body }) => body as z.infer<Schema>);
}

/** An empty file is not a store, and opening it would create one. */
function isThere(path: string): boolean {
  try {
    return statSync(path).size > 0;
  } catch (error) {
    // Any other error is reported when the store is opened.
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}

function away(why: string): { memory: Memory; system: SystemRules } {
  return { memory: { available: false, why }, system: NO_SYSTEM_RULES };
}
