import { findLeft, isDone, NOT_REACHED, nextRunnable, type SessionFeature } from './next-runnable.ts';
import type { Left } from './session.ts';

export interface NextFeature<Item> {
  /** Null where nothing can be done now. */
  next: Item | null;
  /** Every other one that is not done, and why it is not its turn. */
  waiting: Left[];
  /** How many are. */
  done: number;
}

/** What comes next, for whoever asks outside of a session. */
export function describeNext<Item extends SessionFeature>(features: readonly Item[]): NextFeature<Item> {
  const chosen = nextRunnable(features)?.id;
  const waiting = findLeft(features)
    .filter(({ feature }) => feature !== chosen)
    .map(({ feature, why }) => ({
      feature,
      // Out of a session nothing was reached, and what could be done comes later all the same.
      why: why === NOT_REACHED ? `it comes after ${chosen}` : why,
    }));
  return {
    next: features.find(({ id }) => id === chosen) ?? null,
    waiting,
    done: features.filter(isDone).length,
  };
}
