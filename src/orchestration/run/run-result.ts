import {
  featureBlockedSchema,
  featureReopenedSchema,
} from '../../store/ledger/kinds/work/feature-lifecycle.ts';
import { nextAction } from '../session/project-session.ts';
import type { EndReason, Failure, Left, Pause } from '../session/session.ts';
import { whyEnded } from '../session/session-step.ts';
import type { KeptSession } from '../session-record/kept-session.ts';
import { runDetails } from './run-details.ts';
import type { RunSettings } from './run-settings.ts';

export interface RunResult {
  session: string;
  reason: EndReason | 'paused';
  /** Why it is paused; null if it has ended. */
  pause: Pause | null;
  why: string;
  done: { feature: string; commit: string }[];
  blocked: { feature: string; attempts: readonly Failure[]; question: string }[];
  reopened: { feature: string; why: string }[];
  left: readonly Left[];
  /** The requested features; null for all. */
  only: readonly string[] | null;
  leftCount: number;
  costUsd: number;
  seconds: number;
  /** The branch to merge, with its base and tip. */
  branch: string;
  base: string;
  tip: string;
}

/** The result of a run, from the ledger. */
export function composeResult({ ledger, project, clock }: RunSettings, kept: KeptSession): RunResult {
  const { session } = kept;
  const { branch, base, tip, completed, spent_usd } = runDetails(kept);
  const lastOf = (kind: string, feature: string) =>
    ledger.lookup(project, { kind, field: 'feature_id', value: feature }).next().value?.body;
  const isEnded = session.phase === 'ended' && session.end !== null;
  const endedAt = isEnded ? Date.parse(session.since) : clock();
  return {
    session: session.session,
    reason: isEnded ? (session.end ?? 'abandoned') : 'paused',
    pause: session.pause,
    why: isEnded ? whyEnded(session) : nextAction(session),
    done: session.completed.map((feature) => ({ feature, commit: completed[feature] ?? tip })),
    blocked: session.blocked.map((feature) => {
      const found = featureBlockedSchema.safeParse(lastOf('feature_blocked', feature));
      const { attempts = [], question = '' } = found.data ?? {};
      return { feature, attempts, question };
    }),
    reopened: session.reopened.map((feature) => {
      const found = featureReopenedSchema.safeParse(lastOf('feature_reopened', feature));
      return { feature, why: found.data?.why ?? '' };
    }),
    left: session.left,
    only: session.limits.only,
    leftCount: session.left_count,
    costUsd: spent_usd,
    seconds: Math.max(0, endedAt - Date.parse(kept.began_at)) / 1000,
    branch,
    base,
    tip,
  };
}
