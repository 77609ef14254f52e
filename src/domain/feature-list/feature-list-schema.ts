import * as z from 'zod';
import { MAX_CRITERION_TEXT } from '../criteria/criterion.ts';
import { criterionSchema, featureSchema } from '../entities/feature.ts';

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
