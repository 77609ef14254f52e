import { join } from 'node:path';
import { projectConfigSchema } from '../../config/project-config.ts';
import { storeSettings } from '../../config/workspace.ts';
import { readYamlFile } from '../../config/yaml-file.ts';
import type { Feature } from '../../domain/feature.ts';
import { recallPrecedents as recall } from '../../learning/precedents/recall-precedents.ts';
import type { SessionGround } from './session-ground.ts';

/** What is remembered that resembles a feature, for the agent that is about to begin it; empty where memory has nothing or is away. */
export async function recallPrecedents(
  { checkout, project, dataFolder, env }: SessionGround,
  feature: Feature,
  agent: 'coding' | 'tester',
): Promise<string> {
  const read = await readYamlFile(join(checkout, '.guardkit', 'config.yaml'), projectConfigSchema);
  const settings = storeSettings(read.ok ? read.value : {}, env, dataFolder);
  const about = `${feature.id} ${feature.name} ${feature.description}`;
  const { text } = await recall(settings, project, { about, agent, feature: feature.id });
  return text;
}
