import * as z from 'zod';
import { complexitySchema } from '../complexity.ts';
import { jsonObjectSchema } from '../json/json.ts';
import { defineEntity } from './entity-type.ts';
import { workIdSchema } from './work-id.ts';

export const FEATURE_STATUSES = ['pending', 'in_progress', 'completed', 'blocked'] as const;

export const criterionSchema = z.strictObject({ id: z.string().min(1), text: z.string().min(1) });

export const featureSchema = z.strictObject({
  id: workIdSchema,
  name: z.string().default(''),
  description: z.string().default(''),
  /** 1 is the most urgent. */
  priority: z.int().min(1).default(3),
  status: z.enum(FEATURE_STATUSES).default('pending'),
  task_type: z.string().min(1).default('feature'),
  complexity: complexitySchema.default(5),
  tasks: z.array(workIdSchema).default([]),
  dependencies: z.array(workIdSchema).default([]),
  acceptance_criteria: z.array(criterionSchema).default([]),
  /** Written as in `.guardkit/config.yaml`; what is run is read from the base all the same. */
  verify: jsonObjectSchema.nullable().default(null),
  ui: z.boolean().default(false),
  files: z.array(z.string()).default([]),
  notes: z.string().default(''),
  /** What else the list says of it; kept for whoever understands it. */
  extra: jsonObjectSchema.default({}),

  /** These are GuardKit's alone. */
  tested: z.boolean().default(false),
  evidence: z.array(z.string()).default([]),
  retries: z.int().min(0).default(0),
  blocked_reason: z.string().nullable().default(null),

  /** These are GuardKit's too, and shown in no list. The tree that it was tested at; null for one that is not tested. */
  tested_tree: z.string().nullable().default(null),
  /** The checkout that had this tree: what changes elsewhere does not touch it. */
  tested_in: z.string().nullable().default(null),
  /** It is in the branch that it was made for, so that later changes are no longer its own. */
  closed: z.boolean().default(false),
  /** The file that defines it, relative to the project; null for one that only the list has. */
  defined_in: z.string().nullable().default(null),
});

export type Feature = z.infer<typeof featureSchema>;

export const feature = defineEntity<Feature>({
  type: 'feature',
  groups: ['features'],
  schema: featureSchema,
  id: (body) => body.id,
  name: (body) => body.name || body.id,
  text: (body) =>
    [
      `feature ${body.id} ${body.name}: status=${body.status} tested=${body.tested} task_type=${body.task_type} complexity=${body.complexity}`,
      body.description,
      body.acceptance_criteria.map(({ id, text }) => `${id}: ${text}`).join('\n'),
      body.blocked_reason ? `blocked: ${body.blocked_reason}` : '',
      body.notes,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  indexed: ['status', 'tested', 'task_type', 'priority'],
  freeText: ['name', 'description', 'acceptance_criteria', 'notes', 'extra', 'blocked_reason'],
  relations: (body) => [
    ...body.dependencies.map((to) => ({ relation: 'depends_on', to })),
    ...body.tasks.map((to) => ({ relation: 'has_task', to })),
  ],
});
