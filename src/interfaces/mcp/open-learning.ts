import { homedir } from 'node:os';
import { readProjectConfig } from '../../config/project/project-config.ts';
import { requireValid } from '../../config/yaml/yaml-file.ts';
import { isAuthorUnknown } from '../../domain/entities/trace.ts';
import { oneLine, withoutTags } from '../../domain/json/clean-text.ts';
import { recalledMark } from '../../domain/precedent-marks.ts';
import { type LearningSettings, learningSettings } from '../../learning/learning-settings.ts';
import { precedentsFor } from '../../learning/precedents/precedents-for.ts';
import { type FoundTrace, queryTraces } from '../../learning/traces/query-traces.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { deliverOutbox } from '../../store/ledger/outbox/deliver-outbox.ts';
import type { McpContext } from './mcp-context.ts';

export interface OpenedLearning {
  ledger: Ledger;
  store: EpisodeStore;
  project: string;
  root: string;
  home: string;
  settings: LearningSettings;
}

/** Time limit for delivery to memory. */
const PATIENCE_MS = 5000;

/** Opens memory with everything recorded so far. */
export async function openLearning(context: McpContext): Promise<OpenedLearning> {
  const { root, project } = await context.project();
  const config = requireValid(await readProjectConfig(root));
  const ledger = await context.ledger();
  const store = await context.store();
  await deliverOutbox(ledger, store, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const home = context.env.HOME ?? homedir();
  return { ledger, store, project, root, home, settings: learningSettings(config.learning) };
}

/** Precedents as a marked block; empty if there are none. */
export async function readPrecedents(context: McpContext, about: string): Promise<string> {
  const { store, project } = await openLearning(context);
  return (await precedentsFor(store, project, { about })).text;
}

const SHOWN = 5;
const REFUSED: readonly string[] = ['denied', 'asked', 'restored', 'not_restored'];

/** Refusals and restores, each in a few lines; without `words`, the last ones. */
export async function readRefusals(context: McpContext, words: string): Promise<string[]> {
  const { store, project } = await openLearning(context);
  const traces = await queryTraces(store, project, {
    type: 'violation',
    source: 'enforcement_hook',
    text: words,
    limit: 10 * SHOWN,
  });
  const refusals = new Map<string, FoundTrace>();
  for (const trace of traces) {
    if (!REFUSED.includes(trace.outcome) || isAuthorUnknown(trace)) continue;
    // Skip repetitions.
    const same = `${trace.guard} ${trace.context.agent} ${trace.event.what_happened} ${trace.event.why}`;
    if (!refusals.has(same)) refusals.set(same, trace);
  }
  return [...refusals.values()].slice(0, SHOWN).map(describe);
}

function describe({ id, timestamp, outcome, guard, context, event }: FoundTrace): string {
  const told: [name: string, text: string, most: number][] = [
    ['tried', event.what_happened, 500],
    ['why', event.why, 800],
    ['instead', event.what_was_correct, 800],
  ];
  return [
    oneLine(
      `${recalledMark(id)} ${timestamp}: ${outcome.replace('_', ' ')} by ${guard ?? 'GuardKit'}, ${context.agent}`,
      300,
    ),
    ...told
      .filter(([, text]) => text !== '')
      .map(([name, text, most]) => `  ${name}: ${oneLine(withoutTags(text), most)}`),
  ].join('\n');
}
