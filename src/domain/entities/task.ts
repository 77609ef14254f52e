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
  'an id holds no .. and does not end in . or .lock, since git refs are named by it',
);

/** `In-Progress` is `in_progress`: people and tools write both. */
const underscored = (value: unknown) =>
  typeof value === 'string' ? value.trim().toLowerCase().replace(/[- ]/g, '_') : value;

/** Everything, or what is named. */
const allOrNamed = z.union(
  [z.literal(true), z.array(z.string().min(1).max(500)).max(500)],
  'true, or a list of names is expected',
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
  /** A person's word that these tests go: paths, globs or names; `true` is all of them. */
  removes_tests: allOrNamed.default([]),
  /** A person's word that these tests expect something else from now on: paths, globs or names; `true` is all of them. */
  changes_tests: allOrNamed.default([]),
  /** A person's word that these new tests pass without the change, too. */
  tests_may_pass_on_base: allOrNamed.default([]),
  /** Undefined: as its feature says. */
  ui: z.boolean().optional(),
  criteria: z.array(writtenCriterionSchema).max(MAX_CRITERIA).default([]),
  /** What else the file says; kept for whoever understands it. */
  extra: z
    .custom<Record<string, unknown>>((value) => value !== null && typeof value === 'object')
    .default({}),
});

export type Task = z.infer<typeof taskSchema>;
