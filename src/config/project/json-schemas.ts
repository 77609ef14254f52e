import * as z from 'zod';
import { sessionStateSchema } from '../../domain/entities/session-state.ts';
import { featureListSchema } from '../../domain/feature-list/feature-list-schema.ts';
import { guardFileSchema } from '../guard-files/guard-file.ts';
import { entityOverridesFileSchema } from '../rule-files/entity-overrides-file.ts';
import { qualityGatesFileSchema } from '../rule-files/quality-gates-file.ts';
import { featureFileSchema } from '../work/feature-file-schema.ts';
import { projectConfigSchema } from './project-config.ts';

const FILES = {
  'config.schema.json': ['GuardKit: .guardkit/config.yaml', projectConfigSchema],
  'quality-gates.schema.json': ['GuardKit: .guardkit/config/quality-gates.yaml', qualityGatesFileSchema],
  'entity-overrides.schema.json': [
    'GuardKit: .guardkit/config/entity-overrides.yaml',
    entityOverridesFileSchema,
  ],
  'guard.schema.json': ['GuardKit: .guardkit/guards/*.yaml', guardFileSchema],
  'feature.schema.json': ['GuardKit: .guardkit/features/FEAT-*.yaml', featureFileSchema],
  'feature-list.schema.json': ['GuardKit: .claude/progress/feature-list.json', featureListSchema],
  'session-state.schema.json': ['GuardKit: .claude/progress/session-state.json', sessionStateSchema],
} as const;

/** The schemas that editors complete and check the project's files by, as file names and texts. */
export function jsonSchemas(): { name: string; text: string }[] {
  return Object.entries(FILES).map(([name, [title, schema]]) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return { name, text: `${JSON.stringify({ ...json, title }, null, 2)}\n` };
  });
}
