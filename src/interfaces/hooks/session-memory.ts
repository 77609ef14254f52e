import { join } from 'node:path';
import { readProjectConfig } from '../../config/project/project-config.ts';
import { storeSettings } from '../../config/project/workspace.ts';
import { bareAgentType } from '../../domain/feature-list/list-rights.ts';
import { shownFeatures } from '../../enforcement/feature-list/known-list.ts';
import type { HookContext } from '../../enforcement/hooks/hook-context.ts';
import { currentWork } from '../../enforcement/hooks/judge-action.ts';
import { noticeCorrection } from '../../learning/corrections/notice-correction.ts';
import { promptBefore } from '../../learning/corrections/prompt-before.ts';
import { learnFromMemory } from '../../learning/learn.ts';
import { recallPrecedents } from '../../learning/precedents/precedents-for.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';

export { followSession } from '../../orchestration/in-agent/follow-session.ts';

/** Learns from a session when it ends or the next one starts; returns notices for the person. */
export async function learnFromHook({ watch }: HookContext, env: NodeJS.ProcessEnv): Promise<string[]> {
  const { project, checkout, dataFolder, home } = watch;
  const read = await readProjectConfig(checkout);
  const config = read.ok ? read.value : {};
  // The hook's ledger only knows the entries that hooks write.
  const ledger = openLedger({ path: join(dataFolder, 'ledger.db') });
  try {
    const notices = await learnFromMemory({
      ledger,
      store: storeSettings(config, env, dataFolder),
      project,
      root: checkout,
      home,
      learning: config.learning,
      now: Date.now(),
    });
    return notices.map((line) => `GuardKit: ${line}`);
  } finally {
    ledger.close();
  }
}

const MAX_FILES = 10;

/** Records a correction if the person's prompt corrects the agent. */
export function noteCorrection(prompt: string, work: HookContext): void {
  const { watch, source, interrupted } = work;
  const { ledger, project, checkout } = watch;
  const before = promptBefore({ ledger, project, checkout, session: source.session, interrupted });
  if (!before) return;
  const noticed = noticeCorrection(prompt, before);
  if (!noticed) return;
  const [person_quote, agent_quote] = noticed.quotes;
  ledger.append(project, 'correction_noticed', {
    session: source.session,
    agent: source.agent,
    signs: noticed.signs,
    confidence: noticed.confidence,
    person_quote,
    agent_quote,
    files: before.edited.slice(0, MAX_FILES),
    feature: currentWork(work).feature,
  });
}

/** Precedents for an agent that starts; empty if there are none. */
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
