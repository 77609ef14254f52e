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

/** Whether the store could be asked; without it the built-in values hold and the reason is shown. */
export type Memory = { available: true } | { available: false; why: string };

/** The system groups as they are stored; empty where nothing was seeded or the store is away. */
interface SystemRules {
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

/** Loads the project's files, which must be valid, and the system groups, which may be away. Writes nothing. */
export async function loadRuleSources(
  root: string | undefined,
  settings: StoreSettings,
): Promise<RuleSources> {
  const files = root === undefined ? NO_RULE_FILES : requireValid(await readRuleFiles(root));
  return { ...files, ...(await loadSystemRules(settings)) };
}

async function loadSystemRules(settings: StoreSettings): Promise<{ memory: Memory; system: SystemRules }> {
  if (settings.url === undefined && !isThere(settings.path)) {
    return away(
      `there is no store yet at ${settings.path}; \`guardkit init\` or \`guardkit graphiti seed\` makes one`,
    );
  }
  // The built-in values are the same ones that seeding writes, and the reason is shown.
  const answer = await askStore(settings, querySystemRules);
  return answer.ok ? { memory: { available: true }, system: answer.value } : away(answer.why);
}

/** The system groups of an open store. */
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

/** The store has parsed each by this very schema. */
function bodies<Schema extends z.ZodType>(
  episodes: readonly Episode[] = [],
  _schema: Schema,
): z.infer<Schema>[] {
  return episodes.map(({ body }) => body as z.infer<Schema>);
}

/** An empty file is no store yet either, and opening it would make one. */
function isThere(path: string): boolean {
  try {
    return statSync(path).size > 0;
  } catch (error) {
    // Only where nothing stands is nothing lost; what else may be wrong is for the store to say.
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}

function away(why: string): { memory: Memory; system: SystemRules } {
  return { memory: { available: false, why }, system: NO_SYSTEM_RULES };
}
