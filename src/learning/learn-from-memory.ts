import type { LearningConfig } from '../config/project/learning-config.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { deliverToMemory } from '../store/ledger/outbox/deliver-to-memory.ts';
import { lastEntryNumber, markLearned } from '../store/ledger/tables/learned-up-to.ts';
import { type OpenStoreOptions, openStore } from '../store/open-store.ts';
import { learn } from './learn.ts';
import { learningSettings } from './learning-settings.ts';

export interface LearnFromMemoryInput {
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
