import type { LearningConfig } from '../config/project/learning-config.ts';
import type { EpisodeStore } from '../store/episode-store.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { deliverToMemory } from '../store/ledger/outbox/deliver-to-memory.ts';
import { lastEntryNumber, markLearned } from '../store/ledger/tables/learning-progress.ts';
import { type OpenStoreOptions, openStore } from '../store/open-store.ts';
import { type LearningSettings, learningSettings } from './learning-settings.ts';
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

interface LearnFromMemoryInput {
  ledger: Ledger;
  store: OpenStoreOptions;
  project: string;
  /** The checkout, and the person's home folder. */
  root: string;
  home: string;
  learning: LearningConfig | undefined;
  /** In milliseconds since 1970. */
  now: number;
}

/** Brings what was recorded to memory and learns from it; what a person should know of that. Memory that is away is said. */
export async function learnFromMemory(input: LearnFromMemoryInput): Promise<string[]> {
  const { ledger, store: settings, learning, ...context } = input;
  const reached = lastEntryNumber(ledger, input.project);
  const away = await deliverToMemory(ledger, settings);
  if (away !== undefined) return [away];
  const store = await openStore(settings);
  try {
    const { notices } = await learn({ ...context, ledger, store, settings: learningSettings(learning) });
    markLearned(ledger, input.project, reached);
    return notices;
  } catch (error) {
    // Safe: everything is on record, and is learned from the next time.
    return [`nothing was learned this time: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await store.close();
  }
}
