import * as z from 'zod';
import { MAX_CRITERIA, MAX_CRITERION_TEXT } from '../../domain/criteria/criterion.ts';
import { featureSchema } from '../../domain/entities/feature.ts';
import { refSafeIdSchema } from '../../domain/entities/task.ts';
import { workIdSchema } from '../../domain/entities/work-id.ts';
import { verifySchema } from '../project/verify-config.ts';

const MAX_IDS = 1000;

const ids = z.array(workIdSchema).max(MAX_IDS).optional();
const task = z.strictObject({ id: workIdSchema, dependencies: ids, depends_on: ids });
const text = z.string().min(1).max(MAX_CRITERION_TEXT);
const criterion = z.strictObject({
  id: z.string().min(1).max(40).optional(),
  text,
  detail: z.string().optional(),
});

/** A feature file whose short forms are written out: a task is a mapping, and so is a criterion. */
export const fullFeatureFileSchema = z.strictObject({
  id: refSafeIdSchema,
  name: z.string().min(1).max(300),
  description: z.string().optional(),
  priority: featureSchema.shape.priority.unwrap().optional(),
  task_type: z.string().min(1).max(80).optional(),
  complexity: featureSchema.shape.complexity.unwrap().optional(),
  ui: z.boolean().optional(),
  verify: verifySchema.optional(),
  tasks: z.array(task).max(MAX_IDS).optional(),
  dependencies: ids,
  depends_on: ids,
  acceptance_criteria: z.array(criterion).max(MAX_CRITERIA).optional(),
});

export type FullFeatureFile = z.infer<typeof fullFeatureFileSchema>;

/** `.guardkit/features/FEAT-*.yaml`, as people write it. For editors: the faults of alternatives tell little. */
export const featureFileSchema = fullFeatureFileSchema.extend({
  tasks: z
    .array(z.union([workIdSchema, task]))
    .max(MAX_IDS)
    .optional(),
  acceptance_criteria: z
    .array(z.union([text, criterion]))
    .max(MAX_CRITERIA)
    .optional(),
});
