import { homedir } from 'node:os';
import { readProjectConfig } from '../../config/project/project-config.ts';
import { requireValid } from '../../config/yaml/yaml-file.ts';
import { type LearningSettings, learningSettings } from '../../learning/learning-settings.ts';
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

/** Nobody waits longer than this for memory. */
const PATIENCE_MS = 5000;

/** What traces and patterns are read from, with all in it that has happened until now. */
export async function openLearning(context: McpContext): Promise<OpenedLearning> {
  const { root, project } = await context.project();
  const config = requireValid(await readProjectConfig(root));
  const ledger = await context.ledger();
  const store = await context.store();
  await deliverOutbox(ledger, store, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const home = context.env.HOME ?? homedir();
  return { ledger, store, project, root, home, settings: learningSettings(config.learning) };
}
