import type { SharedProject } from '../../store/shared/shared-projects.ts';
import type { SharedRemote } from './shared-remote.ts';

/** What a worker needs of the other machines while it builds a feature. */
export interface QueuedBuild {
  feature: string;
  epoch: number;
  budgetUsd: number | undefined;
  remote: SharedRemote;
  /** The project as it is now on the server. */
  shared(): Promise<SharedProject>;
  /** Copies what other machines recorded meanwhile. */
  pull(): Promise<void>;
  /** One worker at a time completes a feature of the project. Undefined if a signal ended the wait. */
  alone<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result | undefined>;
}

/** How a queued feature ended. */
export interface QueuedResult {
  outcome: 'completed' | 'blocked' | 'stopped' | 'cancelled';
  why: string;
  costUsd: number;
}
