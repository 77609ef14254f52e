import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, parseDocument, stringify } from 'yaml';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import type { FeaturePlan, PlannedFeature } from './feature-plan.ts';

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
