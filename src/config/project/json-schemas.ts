import * as z from 'zod';
import { MAX_CRITERION_TEXT } from '../../domain/criteria/criterion.ts';
import { criterionSchema, featureSchema } from '../../domain/entities/feature.ts';
import { sessionStateSchema } from '../../domain/entities/session-state.ts';
import { guardFileSchema } from '../guard-files/guard-file.ts';
import { entityOverridesFileSchema } from '../rule-files/entity-overrides-file.ts';
import { qualityGatesFileSchema } from '../rule-files/quality-gates-file.ts';
import { featureFileSchema } from '../work/feature-file.ts';
import { projectConfigSchema } from './project-config.ts';

const { shape } = featureSchema;
const text = z.string().min(1).max(MAX_CRITERION_TEXT);

const listedFeatureSchema = z
  .looseObject({
    id: shape.id,
    name: shape.name,
    description: shape.description,
    priority: shape.priority.describe('1 is the most urgent'),
    status: shape.status,
    tested: shape.tested.describe('GuardKit’s: set by `guardkit verify` alone'),
    retries: shape.retries.describe('GuardKit’s: attempts that have failed'),
    dependencies: shape.dependencies,
    task_type: shape.task_type,
    complexity: shape.complexity,
    acceptance_criteria: z.array(z.union([text, criterionSchema])).default([]),
    verify: z.record(z.string(), z.unknown()).nullable().default(null),
    ui: shape.ui,
    files: shape.files,
    notes: shape.notes,
    evidence: shape.evidence.describe('GuardKit’s: ids of what it ran'),
    blocked_reason: shape.blocked_reason.describe('GuardKit’s: why it is blocked'),
  })
  .describe('Fields that are not named here are kept');

/** `.claude/progress/feature-list.json`, for editors and readers. GuardKit itself reads it more leniently. */
export const featureListSchema = z.looseObject({
  version: z.int().min(1).optional(),
  project: z.string().optional(),
  features: z.array(listedFeatureSchema),
});

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
