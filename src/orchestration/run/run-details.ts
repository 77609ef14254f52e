import * as z from 'zod';
import { workIdSchema } from '../../domain/entities/work-id.ts';
import type { KeptSession } from '../session-record/kept-session.ts';

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
