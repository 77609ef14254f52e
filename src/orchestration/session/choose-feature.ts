import { findLeft, nextRunnable, type SessionFeature } from './next-runnable.ts';
import { type EndReason, type Limit, MAX_ATTEMPTS, type Session } from './session.ts';
import type { EventOf } from './session-event.ts';
import { end, go, NO_FEATURE, type Step } from './session-step.ts';

/** Only the first are stored. */
const MAX_LEFT = 100;

/** Starts the next feature, or ends the session. */
export function chooseFeature(session: Session, { at, features }: EventOf<'features_known'>): Step {
  const { completed, blocked } = session;
  const choice = { completed, blocked, only: session.limits.only };
  const limit = session.limit ?? reachedLimit(session, at) ?? enoughFeatures(session);
  const next = nextRunnable(features, choice);
  if (next && !limit) return begin(session, at, next);
  const left = findLeft(features, choice);
  const isAll = left.length === 0 && blocked.length === 0;
  const reason: EndReason = next && limit ? limit : isAll ? 'all_done' : 'nothing_runnable';
  const values = {
    ...NO_FEATURE,
    limit,
    left: left.slice(0, MAX_LEFT),
    left_count: left.length,
    end: reason,
  };
  // Features completed one by one may fail together.
  if (completed.length > 0) return go(session, 'verifying_all', at, { values });
  return end(session, at, reason, { values });
}

function begin(session: Session, at: string, feature: SessionFeature): Step {
  const { id, status, retries, failures, unfinished } = feature;
  const attempt = retries + 1;
  // An agent claims that it is done. A run leaves that check to feature-build.
  const isClaimed = session.driven_by === 'hooks' && status === 'completed';
  return go(session, isClaimed ? 'testing' : 'coding', at, {
    values: { feature: id, attempt, failures: (failures ?? []).slice(-MAX_ATTEMPTS), objection: null },
    changes: [{ type: 'begin_feature', feature: id, attempt }],
    resume: unfinished ?? false,
  });
}

/** The reached limit, after which nothing is started. */
export function reachedLimit({ limits, spent_usd }: Session, at: string): Limit | null {
  if (limits.until !== null && at >= limits.until) return 'until';
  return limits.budget_usd !== null && spent_usd >= limits.budget_usd ? 'budget' : null;
}

function enoughFeatures({ limits, completed, blocked }: Session): Limit | null {
  const finished = completed.length + blocked.length;
  return limits.max_features !== null && finished >= limits.max_features ? 'max_features' : null;
}
