import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, parseDocument, stringify } from 'yaml';
import * as z from 'zod';
import { verifySchema } from '../../config/project/verify-config.ts';
import { complexitySchema } from '../../domain/complexity.ts';
import { MAX_CRITERIA, MAX_CRITERION_TEXT } from '../../domain/criteria/criterion.ts';
import { refSafeIdSchema } from '../../domain/entities/task.ts';
import { workIdSchema } from '../../domain/entities/work-id.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { criteriaFaults, dependencyFaults } from '../session/feature-faults.ts';
import { isRunsOwn } from './run-details.ts';

const MAX_FEATURES = 200;
const MAX_DEPENDENCIES = 100;

const plannedFeatureSchema = z.strictObject({
  id: refSafeIdSchema.describe('such as FEAT-LOGIN'),
  name: z.string().min(1).max(300),
  description: z.string().max(20_000).describe('its purpose and scope'),
  priority: z.int().min(1).max(100).default(3).describe('1 is the most urgent'),
  complexity: complexitySchema.default(5),
  task_type: z.string().min(1).max(80).default('feature'),
  ui: z.boolean().default(false),
  dependencies: z.array(workIdSchema).max(MAX_DEPENDENCIES).default([]).describe('ids of other features'),
  acceptance_criteria: z
    .array(z.string().min(1).max(MAX_CRITERION_TEXT))
    .max(MAX_CRITERIA)
    .describe('each one fact that a test can check'),
  verify: verifySchema.optional().describe('additional commands for this feature'),
});

export type PlannedFeature = z.infer<typeof plannedFeatureSchema>;

/** The initializer's answer. */
export const featurePlanSchema = z.strictObject({
  features: z.array(plannedFeatureSchema).max(MAX_FEATURES),
  verify: verifySchema.optional().describe('the test commands, if the configuration has none'),
});

export type FeaturePlan = z.infer<typeof featurePlanSchema>;

/** Faults of a plan, one sentence each with what to change. */
export function findPlanFaults(
  { features, verify }: FeaturePlan,
  { hasTests }: { hasTests: boolean },
): string[] {
  if (features.length === 0) return ['No features. Add at least one.'];
  const ids = features.map(({ id }) => id);
  const repeated = ids.filter((id, index) => ids.findIndex((one) => isSameId(one, id)) < index);
  return [
    ...repeated.map((id) => `Duplicate id ${id}. Give each feature its own id.`),
    ...ids.filter(isRunsOwn).map((id) => `The id ${id} is reserved for GuardKit. Choose another.`),
    ...features.flatMap(({ id, acceptance_criteria }) => criteriaFaults(id, acceptance_criteria)),
    ...dependencyFaults(features),
    ...(hasTests || verify?.tests || features.every((one) => isVerified(one))
      ? []
      : ['No test command. Set verify.tests.command and set up what it needs.']),
  ];
}

/** Not every file system distinguishes case. */
function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function isVerified({ verify }: PlannedFeature): boolean {
  return verify?.tests !== undefined || (verify?.checks ?? []).length > 0;
}

/** Writes the definitions of a plan's features to a checkout and returns their paths. */
export function writeFeaturePlan(folder: string, project: string, plan: FeaturePlan): string[] {
  const files = plan.features.map((one): [string, string] => [
    `.guardkit/features/${one.id}.yaml`,
    featureText(one),
  ]);
  const config = configText(folder, project, plan);
  if (config !== undefined) files.push(['.guardkit/config.yaml', config]);
  for (const [path, text] of files) writeFileAtomic(join(folder, path), text);
  return files.map(([path]) => path);
}

function featureText({ dependencies, verify, ...feature }: PlannedFeature): string {
  return stringify({
    ...feature,
    ...(dependencies.length > 0 ? { dependencies } : {}),
    ...(verify ? { verify } : {}),
  });
}

/** Adds missing keys only; a person's configuration stays. Undefined if nothing is missing. */
function configText(folder: string, project: string, { verify }: FeaturePlan): string | undefined {
  if (!verify) return undefined;
  const path = join(folder, '.guardkit', 'config.yaml');
  const document = parseDocument(existsSync(path) ? readFileSync(path, 'utf8') : '');
  if (!isMap(document.contents)) {
    if (document.contents !== null) return undefined;
    return stringify({ project, verify });
  }
  const missing = Object.entries(verify).filter(([key]) => !document.hasIn(['verify', key]));
  if (missing.length === 0) return undefined;
  for (const [key, value] of missing) document.setIn(['verify', key], document.createNode(value));
  return document.toString();
}
