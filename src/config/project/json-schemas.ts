import * as z from 'zod';
import { MAX_CRITERION_TEXT } from '../../domain/criteria/criterion.ts';
import { criterionSchema, featureSchema } from '../../domain/entities/feature.ts';
import { sessionStateSchema } from '../../domain/entities/session-state.ts';
import { guardFileSchema } from '../guard-files/guard-file.ts';
import { entityOverridesFileSchema } from '../rule-files/entity-overrides-file.ts';
import { qualityGatesFileSchema } from '../rule-files/quality-gates-file.ts';
import { waiverFileSchema } from '../waiver-files/waiver-file.ts';
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
    tested: shape.tested.describe('Set only by `guardkit verify`'),
    retries: shape.retries.describe('Set by GuardKit: failed attempts'),
    dependencies: shape.dependencies,
    task_type: shape.task_type,
    complexity: shape.complexity,
    acceptance_criteria: z.array(z.union([text, criterionSchema])).default([]),
    verify: z.record(z.string(), z.unknown()).nullable().default(null),
    ui: shape.ui,
    files: shape.files,
    notes: shape.notes,
    evidence: shape.evidence.describe('Set by GuardKit: ids of its runs'),
    blocked_reason: shape.blocked_reason.describe('Set by GuardKit: why it is blocked'),
  })
  .describe('Other fields are preserved');

/** `.claude/progress/feature-list.json`, for editors. GuardKit itself is more lenient. */
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
  'waiver.schema.json': ['GuardKit: .guardkit/waivers/*.yaml', waiverFileSchema],
  'feature.schema.json': ['GuardKit: .guardkit/features/FEAT-*.yaml', featureFileSchema],
  'feature-list.schema.json': ['GuardKit: .claude/progress/feature-list.json', featureListSchema],
  'session-state.schema.json': ['GuardKit: .claude/progress/session-state.json', sessionStateSchema],
} as const;

/** JSON schemas for editors, as file names and texts. */
export function jsonSchemas(): { name: string; text: string }[] {
  return Object.entries(FILES).map(([name, [title, schema]]) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return { name, text: `${JSON.stringify({ ...json, title }, null, 2)}\n` };
  });
}
