import * as z from 'zod';
import { verifySchema } from '../../config/verify-config.ts';
import { complexitySchema } from '../../domain/complexity.ts';
import { MAX_CRITERIA, MAX_CRITERION_TEXT } from '../../domain/criterion.ts';
import { findCycles } from '../../domain/dependencies.ts';
import { refSafeIdSchema } from '../../domain/task.ts';
import { workIdSchema } from '../../domain/work-id.ts';

import { isRunsOwn } from './run-details.ts';

const MAX_FEATURES = 200;
const MAX_DEPENDENCIES = 100;

const plannedFeatureSchema = z.strictObject({
  id: refSafeIdSchema.describe('such as FEAT-LOGIN'),
  name: z.string().min(1).max(300),
  description: z.string().max(20_000).describe('what it is for, and what it is not'),
  priority: z.int().min(1).max(100).default(3).describe('1 is the most urgent'),
  complexity: complexitySchema.default(5),
  task_type: z.string().min(1).max(80).default('feature'),
  ui: z.boolean().default(false),
  dependencies: z.array(workIdSchema).max(MAX_DEPENDENCIES).default([]).describe('ids of other features'),
  acceptance_criteria: z
    .array(z.string().min(1).max(MAX_CRITERION_TEXT))
    .max(MAX_CRITERIA)
    .describe('each one thing that a test can show'),
  verify: verifySchema.optional().describe('what is run for this feature beside what is run for all'),
});

export type PlannedFeature = z.infer<typeof plannedFeatureSchema>;

/** What the initializer answers. */
export const featurePlanSchema = z.strictObject({
  features: z.array(plannedFeatureSchema).max(MAX_FEATURES),
  verify: verifySchema.optional().describe('how the project is tested, where its configuration does not say'),
});

export type FeaturePlan = z.infer<typeof featurePlanSchema>;

/** What keeps a plan from being built by, each in a sentence that says what to change. Nothing else is looked at here. */
export function findPlanFaults(
  { features, verify }: FeaturePlan,
  { hasTests }: { hasTests: boolean },
): string[] {
  if (features.length === 0) return ['There is no feature. Name at least one.'];
  const ids = features.map(({ id }) => id);
  const known = new Set(ids);
  const repeated = ids.filter((id, index) => ids.findIndex((one) => isSameId(one, id)) < index);
  return [
    ...repeated.map((id) => `The id ${id} stands there twice. Give each feature an id of its own.`),
    ...ids.filter(isRunsOwn).map((id) => `The id ${id} is GuardKit's own. Give it another.`),
    ...features.flatMap((one) => criteriaFaults(one)),
    ...features.flatMap(({ id, dependencies }) =>
      dependencies
        .filter((other) => !known.has(other))
        .map((other) => `${id} depends on ${other}, which is no feature. Add it, or take it out.`),
    ),
    ...findCycles(features).map(
      (path) => `These depend on each other: ${path.join(' → ')}. Take one of the dependencies out.`,
    ),
    ...(hasTests || verify?.tests || features.every((one) => isVerified(one))
      ? []
      : ['How the project is tested is not defined. Give verify.tests.command, and set up what it runs.']),
  ];
}

/** Not every file system keeps them apart. */
function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function isVerified({ verify }: PlannedFeature): boolean {
  return verify?.tests !== undefined || (verify?.checks ?? []).length > 0;
}

function criteriaFaults({ id, acceptance_criteria }: PlannedFeature): string[] {
  if (acceptance_criteria.length === 0)
    return [`${id} has no acceptance criterion. Say what a test will show once it is done.`];
  const texts = acceptance_criteria.map((text) => text.trim().toLowerCase());
  return acceptance_criteria.flatMap((text, index) => {
    const told = `"${text.trim().slice(0, 100)}"`;
    if (texts.indexOf(texts[index] ?? '') < index) return [`${id}: ${told} stands there twice.`];
    return isTestable(text)
      ? []
      : [`${id}: no test can show ${told}. Say what is put in and what comes out, or what is there then.`];
  });
}

/** Words that say that something is good, and not what it does. */
const PRAISE = new Set(
  (
    'it the a an is are be will should must can all everything code feature app application program project system ' +
    'works work working done complete completed finished good nice clean fast quick quickly easy simple robust ' +
    'well correct correctly proper properly right fine perfect perfectly beautiful intuitive user friendly ' +
    'user-friendly maintainable readable scalable secure reliable stable and or very as expected intended'
  ).split(' '),
);

/** Whether a criterion has at least two words that say something of its feature. */
export function isTestable(text: string): boolean {
  const words = text
    .slice(0, MAX_CRITERION_TEXT)
    .toLowerCase()
    .replace(/^ac-\d+:?/, '')
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word !== '');
  return words.filter((word) => !PRAISE.has(word)).length >= 2;
}
