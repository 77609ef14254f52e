import * as z from 'zod';
import { defineEntity } from './entity-type.ts';
import { workIdSchema } from './work-id.ts';

const statements = z.array(z.string().min(1)).default([]);

/** A feature's purpose and limits, for the next agent that works on it. */
export const featureOverviewSchema = z.strictObject({
  feature_id: workIdSchema,
  name: z.string().min(1),
  purpose: z.string().default(''),
  what_it_is: statements,
  what_it_is_not: statements,
  invariants: statements,
  key_components: statements,
  key_decisions: statements,
});

export type FeatureOverview = z.infer<typeof featureOverviewSchema>;

export const featureOverview = defineEntity<FeatureOverview>({
  type: 'feature_overview',
  groups: ['architecture'],
  schema: featureOverviewSchema,
  id: (body) => `OVERVIEW-${body.feature_id}`,
  name: (body) => `Overview: ${body.name}`,
  text: (body) =>
    [
      `feature_overview ${body.feature_id} ${body.name}: ${body.purpose}`,
      ...(['what_it_is', 'what_it_is_not', 'invariants', 'key_components', 'key_decisions'] as const)
        .filter((field) => body[field].length > 0)
        .map((field) => `${field}: ${body[field].join('; ')}`),
    ].join('\n'),
  indexed: ['feature_id'],
  freeText: [
    'name',
    'purpose',
    'what_it_is',
    'what_it_is_not',
    'invariants',
    'key_components',
    'key_decisions',
  ],
  relations: (body) => [{ relation: 'describes', to: body.feature_id }],
});
