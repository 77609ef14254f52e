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
  const repeated = ids.filter((id, index) => ids.findIndex((one) => isSameId(one, id)) < index);
  return [
    ...repeated.map((id) => `The id ${id} stands there twice. Give each feature an id of its own.`),
    ...ids.filter(isRunsOwn).map((id) => `The id ${id} is GuardKit's own. Give it another.`),
    ...features.flatMap(({ id, acceptance_criteria }) => criteriaFaults(id, acceptance_criteria)),
    ...dependencyFaults(features),
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

/** Writes the files that define the features of a plan into a checkout; their paths. */
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

/** What a person configured stays; only what is not there is added. Undefined where there is nothing to add. */
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
