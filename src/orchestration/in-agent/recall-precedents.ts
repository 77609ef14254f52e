import { readProjectConfig } from '../../config/project/read-project-config.ts';
import { type StoreSettings, storeSettings } from '../../config/project/workspace.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { recallSharedPatterns } from '../../learning/patterns/shared-patterns.ts';
import { recallPrecedents as recall } from '../../learning/precedents/recall-precedents.ts';
import type { SessionContext } from './session-context.ts';

/** What is remembered that resembles a feature, for the agent that is about to begin it; empty where memory has nothing or is away. */
export async function recallPrecedents(
  ground: SessionContext,
  feature: Feature,
  agent: 'coding' | 'tester',
): Promise<string> {
  const { project } = ground;
  const settings = await memoryOf(ground);
  const about = `${feature.id} ${feature.name} ${feature.description}`;
  const { text } = await recall(settings, project, { about, agent, feature: feature.id });
  return text;
}

/** What went wrong again and again in other projects, for the agent that begins this one. */
export async function recallShared(ground: SessionContext): Promise<string[]> {
  return recallSharedPatterns(await memoryOf(ground));
}

async function memoryOf({ checkout, dataFolder, env }: SessionContext): Promise<StoreSettings> {
  const read = await readProjectConfig(checkout);
  return storeSettings(read.ok ? read.value : {}, env, dataFolder);
}
