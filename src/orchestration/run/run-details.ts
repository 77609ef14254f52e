import * as z from 'zod';
import { workIdSchema } from '../../domain/entities/work-id.ts';
import type { Happening } from '../session/session-event.ts';
import type { KeptSession } from '../session-record/kept-session.ts';
import type { Interrupted } from './interruption.ts';

const commit = z.string().min(1);

/** Data of a run, in addition to the machine's state. */
export const runDetailsSchema = z.strictObject({
  /** The branch that a person merges. */
  branch: z.string().min(1),
  /** The person's commit that the run was started on. */
  base: commit,
  /** The commit that features stack on, and the base of the final verification. */
  start: commit,
  /** The tip of the run; git's branch follows it. */
  tip: commit,
  /** The tip after each completed feature. */
  completed: z.record(workIdSchema, commit),
  /** The cost of all agents, including failed work. */
  spent_usd: z.number().min(0),
  /** By build: the part of its cost that is already counted. */
  counted: z.record(z.string(), z.number()),
  /** Digests of the definitions that GuardKit wrote for the run. */
  own: z.record(z.string(), z.string()),
  /** The initializer's brief; null if the project has features. */
  brief: z.strictObject({ name: z.string(), text: z.string() }).nullable(),
});

export type RunDetails = z.infer<typeof runDetailsSchema>;

export function runDetails({ details }: Pick<KeptSession, 'details'>): RunDetails {
  return runDetailsSchema.parse(details);
}

/** Ids of the run's own branches: a feature with such an id would be built on those. */
export function isRunsOwn(id: string): boolean {
  return /^(?:run|init)-\d{8}-[0-9a-f]{6}$/i.test(id);
}

/** Used in place of a feature's id for the worktree of a run's initializer. */
export function initializerId(session: string): string {
  return `init-${session}`;
}

export function runBranchOf(session: string): string {
  return `guardkit/run-${session}`;
}

/** The result of a piece of work. */
export interface WorkResult {
  /** Undefined if it was interrupted. */
  event: Happening | undefined;
  interrupted?: Interrupted | undefined;
  /** Its cost; for a build, with the build's total. */
  cost?: { usd: number; build?: { id: string; total: number } } | undefined;
  /** The branch's commit with the feature, if it passed. */
  stacked?: { feature: string; commit: string } | undefined;
  /** The new start commit, with the definitions that GuardKit wrote there. */
  start?: { commit: string; own: Record<string, string> } | undefined;
}

/** The run's details after a piece of work. A feature is on the branch once the machine has completed it. */
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
