import * as z from 'zod';
import { complexitySchema } from '../complexity.ts';
import { MAX_CRITERIA, writtenCriterionSchema } from '../criteria/criterion.ts';
import { implementationModeSchema } from './implementation-mode.ts';
import { fitsGitRef, workIdSchema } from './work-id.ts';

export const TASK_STATUSES = [
  'backlog',
  'pending',
  'in_progress',
  'in_review',
  'completed',
  'blocked',
] as const;

export const TASK_MODES = implementationModeSchema.shape.mode.options;

export const refSafeIdSchema = workIdSchema.refine(
  fitsGitRef,
  'an id must not contain .. or end in . or .lock, because git refs use it',
);

/** Reads `In-Progress` as `in_progress`. */
const underscored = (value: unknown) =>
  typeof value === 'string' ? value.trim().toLowerCase().replace(/[- ]/g, '_') : value;

const allOrNamed = z.union(
  [z.literal(true), z.array(z.string().min(1).max(500)).max(500)],
  'expected true or a list of names',
);

export const taskSchema = z.strictObject({
  id: refSafeIdSchema,
  title: z.string().min(1).max(300),
  status: z.preprocess(underscored, z.enum(TASK_STATUSES)).default('backlog'),
  task_type: z.string().min(1).max(80).default('feature'),
  complexity: complexitySchema.default(5),
  feature_id: refSafeIdSchema.optional(),
  dependencies: z.array(workIdSchema).max(1000).default([]),
  implementation_mode: z.preprocess(underscored, z.enum(TASK_MODES)).optional(),
  /** Tests that a person allows to be removed: paths, globs or names; `true` for all. */
  removes_tests: allOrNamed.default([]),
  /** Tests whose expectations a person allows to change: paths, globs or names; `true` for all. */
  changes_tests: allOrNamed.default([]),
  /** New tests that a person allows to pass without the change. */
  tests_may_pass_on_base: allOrNamed.default([]),
  /** Undefined: inherited from the feature. */
  ui: z.boolean().optional(),
  criteria: z.array(writtenCriterionSchema).max(MAX_CRITERIA).default([]),
  /** Unknown fields of the file, preserved. */
  extra: z
    .custom<Record<string, unknown>>((value) => value !== null && typeof value === 'object')
    .default({}),
});

export type Task = z.infer<typeof taskSchema>;
