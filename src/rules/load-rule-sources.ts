import { existsSync } from 'node:fs';
import type * as z from 'zod';
import { NO_RULE_FILES, readRuleFiles } from '../config/rule-files.ts';
import type { StoreSettings } from '../config/workspace.ts';
import { requireValid } from '../config/yaml-file.ts';
import type { Episode } from '../domain/episode.ts';
import { implementationModeSchema } from '../domain/implementation-mode.ts';
import { qualityGateConfigSchema } from '../domain/quality-gate-config.ts';
import { roleConstraintsSchema } from '../domain/role-constraints.ts';
import type { EpisodeStore } from '../store/episode-store.ts';
import { openStore } from '../store/open-store.ts';
import { type Memory, NO_SYSTEM_RULES, type RuleSources, type SystemRules } from './rule-sources.ts';

/** Work goes on with built-in values rather than wait longer for a store that may not answer at all. */
const PATIENCE_MS = 1800;
const BUSY_TIMEOUT_MS = 1000;

/** Loads the project's files, which must be valid, and the system groups, which may be away. Writes nothing. */
export async function loadRuleSources(
  root: string | undefined,
  settings: StoreSettings,
): Promise<RuleSources> {
  const files = root === undefined ? NO_RULE_FILES : requireValid(await readRuleFiles(root));
  return { ...files, ...(await loadSystemRules(settings)) };
}

async function loadSystemRules(settings: StoreSettings): Promise<{ memory: Memory; system: SystemRules }> {
  if (settings.url === undefined && !existsSync(settings.path)) {
    return away(
      `there is no store yet at ${settings.path}; \`guardkit init\` or \`guardkit graphiti seed\` makes one`,
    );
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the store does not answer')), PATIENCE_MS);
  });
  try {
    const system = await Promise.race([readSystemRules(settings), late]);
    return { memory: { available: true }, system };
  } catch (error) {
    // Safe: the built-in values are the same ones that seeding writes, and the reason is shown.
    return away(error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error));
  } finally {
    clearTimeout(timer);
  }
}

async function readSystemRules(settings: StoreSettings): Promise<SystemRules> {
  const store = await openStore({ ...settings, busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    return await querySystemRules(store);
  } finally {
    await store.close();
  }
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

function away(why: string): { memory: Memory; system: SystemRules } {
  return { memory: { available: false, why }, system: NO_SYSTEM_RULES };
}
