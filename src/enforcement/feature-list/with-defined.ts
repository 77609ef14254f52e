import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FeatureDefinition, Work } from '../../config/work/work.ts';
import { type Feature, featureSchema } from '../../domain/entities/feature.ts';
import { definedFeatures } from './defined-feature.ts';
import type { FeaturesContext } from './open-features.ts';
import { absentFeatures } from './project-features.ts';

/** Features together with those defined in files, which may not be in the ledger yet. Does not create a ledger. */
export async function withDefined(
  context: FeaturesContext,
  work: Work,
  features: readonly Feature[],
): Promise<Feature[]> {
  const { home, project } = await context.workspace();
  const defined =
    project.known && existsSync(join(home, 'ledger.db'))
      ? definedFeatures(await context.ledger(), project.id, work, features)
      : work.features.map(unrecordedFeature);
  const ids = new Set(defined.map((one) => one.id));
  return [...features.filter((one) => !ids.has(one.id)), ...defined];
}

/** The features of a checkout: without open ones whose file exists only elsewhere, or no longer. */
export async function featuresOfCheckout(
  context: FeaturesContext,
  work: Work,
  features: readonly Feature[],
): Promise<Feature[]> {
  const all = await withDefined(context, work, features);
  const absent = new Set(absentFeatures(work, all));
  return all.filter(({ id, closed }) => closed || !absent.has(id));
}

function unrecordedFeature({ path, criteria, ...definition }: FeatureDefinition): Feature {
  const { verify: _run, files: _read, ...fields } = definition;
  return featureSchema.parse({
    ...fields,
    acceptance_criteria: criteria.map(({ id, text }, index) => ({ id: id ?? `#${index + 1}`, text })),
    defined_in: path ?? fields.tasks[0],
  });
}
