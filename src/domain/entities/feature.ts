import * as z from 'zod';
import { complexitySchema } from '../complexity.ts';
import { jsonObjectSchema } from '../json/json-schema.ts';
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
  /** Same format as in `.guardkit/config.yaml`; GuardKit still reads the commands from the base. */
  verify: jsonObjectSchema.nullable().default(null),
  ui: z.boolean().default(false),
  files: z.array(z.string()).default([]),
  notes: z.string().default(''),
  /** Unknown fields of the list, preserved. */
  extra: jsonObjectSchema.default({}),

  /** Set only by GuardKit. */
  tested: z.boolean().default(false),
  evidence: z.array(z.string()).default([]),
  retries: z.int().min(0).default(0),
  blocked_reason: z.string().nullable().default(null),

  /** Set only by GuardKit and not shown in the list, like the fields below. The tested tree; null if not tested. */
  tested_tree: z.string().nullable().default(null),
  /** The checkout with this tree: changes elsewhere do not affect it. */
  tested_in: z.string().nullable().default(null),
  /** Merged into its target branch, so later changes are not part of it. */
  closed: z.boolean().default(false),
  /** The file that defines it, relative to the project; null if only the list has it. */
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
