import type { Happening } from '../session/session-event.ts';
import type { Interrupted } from './interruption.ts';
import type { RunDetails } from './run-details.ts';

/** What came of a piece of work. */
export interface WorkResult {
  /** Undefined where it was interrupted and has nothing to tell. */
  event: Happening | undefined;
  interrupted?: Interrupted | undefined;
  /** What it cost: of a build, with what that has cost in all. */
  cost?: { usd: number; build?: { id: string; total: number } } | undefined;
  /** What the branch is with a feature that passed. */
  stacked?: { feature: string; commit: string } | undefined;
  /** The commit that features stack on from now, with the definitions that GuardKit wrote there. */
  start?: { commit: string; own: Record<string, string> } | undefined;
}

/** What a run keeps then. A feature is on the branch once the machine has completed it. */
export function detailsAfter(
  before: RunDetails,
  { cost, stacked, start }: Pick<WorkResult, 'cost' | 'stacked' | 'start'>,
  completed: readonly string[],
): RunDetails {
  let after = before;
  if (cost) {
    const { build } = cost;
    const counted = build ? { ...after.counted, [build.id]: build.total } : after.counted;
    after = { ...after, spent_usd: after.spent_usd + cost.usd, counted };
  }
  if (start) after = { ...after, start: start.commit, tip: start.commit, own: start.own, brief: null };
  if (stacked && completed.includes(stacked.feature)) {
    const { feature, commit } = stacked;
    after = { ...after, tip: commit, completed: { ...after.completed, [feature]: commit } };
  }
  return after;
}
