import type { EpisodeStore } from '../store/episode-store.ts';
import type { LearningSettings } from './learning-settings.ts';
import { extractPatterns } from './patterns/extract-patterns.ts';
import { recordFailures } from './patterns/record-failures.ts';
import type { BacktestContext } from './proposals/backtest-guards.ts';
import { demoteWithdrawnGuards, demoteWrongGuards, promoteProvenGuards } from './proposals/review-guards.ts';

export interface LearnInput extends Omit<BacktestContext, 'wrong'> {
  store: EpisodeStore;
  settings: LearningSettings;
}

export interface Learned {
  /** Ids of patterns that are new, or have more to them than before. */
  patterns: string[];
  /** What a person should know. */
  notices: string[];
}

/** What there is to learn from what was delivered to memory since the last time: at the end of a session or a build. */
export async function learn(input: LearnInput): Promise<Learned> {
  const { ledger, store, project, settings } = input;
  const { patterns, changed, withdrawn } = await extractPatterns({
    ledger,
    store,
    project,
    thresholds: settings.thresholds,
  });
  await recordFailures({ ledger, store, project });
  const demoted = [...demoteWithdrawnGuards(input, withdrawn), ...demoteWrongGuards(input)];
  const promoted = await promoteProvenGuards({ ...input, patterns });
  return { patterns: changed, notices: [...demoted, ...promoted] };
}
