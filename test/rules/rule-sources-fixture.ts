import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_RULE_FILES, type RuleFiles, readRuleFiles } from '../../src/config/rule-files/rule-files.ts';
import { requireValid } from '../../src/config/yaml/yaml-file.ts';
import { DEFAULT_IMPLEMENTATION_MODES } from '../../src/domain/entities/implementation-mode.ts';
import { DEFAULT_QUALITY_GATE_CONFIGS } from '../../src/domain/entities/quality-gate-config.ts';
import { DEFAULT_ROLE_CONSTRAINTS } from '../../src/domain/entities/role-constraints.ts';
import { NO_SYSTEM_RULES, type RuleSources } from '../../src/rules/load-rule-sources.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Only built-in values: no store and no project files. */
export const BARE: RuleSources = {
  ...NO_RULE_FILES,
  memory: { available: false, why: 'it is away' },
  system: NO_SYSTEM_RULES,
};

/** As after `seed`. */
export const SEEDED: RuleSources = {
  ...NO_RULE_FILES,
  memory: { available: true },
  system: {
    roles: DEFAULT_ROLE_CONSTRAINTS,
    gates: DEFAULT_QUALITY_GATE_CONFIGS,
    modes: DEFAULT_IMPLEMENTATION_MODES,
  },
};

export interface RuleTexts {
  gates?: string;
  overrides?: string;
}

/** A folder with these files in it. */
export function projectWith({ gates, overrides }: RuleTexts): string {
  const root = temporaryFolder();
  mkdirSync(join(root, '.guardkit', 'config'), { recursive: true });
  if (gates !== undefined) writeFileSync(join(root, '.guardkit', 'config', 'quality-gates.yaml'), gates);
  if (overrides !== undefined)
    writeFileSync(join(root, '.guardkit', 'config', 'entity-overrides.yaml'), overrides);
  return root;
}

export async function filesWith(texts: RuleTexts): Promise<RuleFiles> {
  return requireValid(await readRuleFiles(projectWith(texts)));
}
