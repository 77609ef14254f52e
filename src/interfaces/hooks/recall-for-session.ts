import { readProjectConfig } from '../../config/project/project-config.ts';
import { storeSettings } from '../../config/project/workspace.ts';
import { bareAgentType } from '../../domain/feature-list/list-rights.ts';
import { shownFeatures } from '../../enforcement/feature-list/known-list.ts';
import type { HookContext } from '../../enforcement/hooks/hook-context.ts';
import { recallPrecedents } from '../../learning/precedents/precedents-for.ts';

/** What memory has that an agent should know as it begins; empty where there is nothing. */
export async function recallForSession(work: HookContext, env: NodeJS.ProcessEnv): Promise<string> {
  const { watch, source, list, session } = work;
  const read = await readProjectConfig(watch.checkout);
  const settings = storeSettings(read.ok ? read.value : {}, env, watch.dataFolder);
  const { actorType } = source;
  const under = shownFeatures(list).filter(({ status }) => status === 'in_progress');
  const feature =
    under.find(({ id }) => id === session.work?.feature) ?? (under.length === 1 ? under[0] : undefined);
  const { text } = await recallPrecedents(settings, watch.project, {
    about: feature ? `${feature.id} ${feature.name} ${feature.description}` : '',
    agent: actorType === undefined ? 'main' : bareAgentType(actorType),
    feature: feature?.id,
  });
  return text;
}
