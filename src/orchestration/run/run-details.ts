import * as z from 'zod';
import { workIdSchema } from '../../domain/entities/work-id.ts';
import type { Happening } from '../session/session-event.ts';
import type { KeptSession } from '../session-record/kept-session.ts';
import type { Interrupted } from './interruption.ts';

const commit = z.string().min(1);

/** What a run keeps beside what the machine knows. */
export const runDetailsSchema = z.strictObject({
  /** The one branch that a person merges. */
  branch: z.string().min(1),
  /** The person's commit that the run was started on. */
  base: commit,
  /** What features stack on, and what all of them are judged against at the end: the base, or what was added to begin with. */
  start: commit,
  /** Where the branch stands. Git's name for it follows this. */
  tip: commit,
  /** What each completed feature brought the branch to. */
  completed: z.record(workIdSchema, commit),
  /** What agents have cost, those too whose work came to nothing. */
  spent_usd: z.number().min(0),
  /** By build: what of its cost is counted already. */
  counted: z.record(z.string(), z.number()),
  /** Definitions that GuardKit itself has written to begin with: their contents' digests. */
  own: z.record(z.string(), z.string()),
  /** What the initializer makes features of; null where there are some. */
  brief: z.strictObject({ name: z.string(), text: z.string() }).nullable(),
});

export type RunDetails = z.infer<typeof runDetailsSchema>;

export function runDetails({ details }: Pick<KeptSession, 'details'>): RunDetails {
  return runDetailsSchema.parse(details);
}

/** Ids by which a run names its own branches: a feature that has one would be built on those. */
export function isRunsOwn(id: string): boolean {
  return /^(?:run|init)-\d{8}-[0-9a-f]{6}$/i.test(id);
}

/** Stands where a feature's id has its place, for the worktree of a run's initializer. */
export function initializerId(session: string): string {
  return `init-${session}`;
}

/** The branch of a run. */
export function runBranchOf(session: string): string {
  return `guardkit/run-${session}`;
}

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
