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
  /** Ids of new patterns and of those with new traces. */
  patterns: string[];
  /** Notices for a person. */
  notices: string[];
}

/** Learns from the traces delivered to memory since the last time. Runs at the end of a session or a build. */
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

/**
 * Delivers recorded entries to memory and learns from them. Returns notices for a person, including one if memory is
 * unavailable.
 */
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
    // Safe: everything is recorded, and the next run learns from it.
    return [`learning failed: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await store.close();
  }
}
