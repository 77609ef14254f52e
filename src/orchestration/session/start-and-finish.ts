import { findLeft, nextRunnable, type SessionFeature } from './next-runnable.ts';
import { type EndReason, type Limit, MAX_ATTEMPTS, type Session } from './session.ts';
import type { SessionChange } from './session-effect.ts';
import type { EventOf } from './session-event.ts';
import { end, go, NO_FEATURE, type Step } from './session-step.ts';

export function start(session: Session, event: EventOf<'session_started'>): Step {
  const { at, session: id, driven_by, limits } = event;
  return go(session, 'checking', at, { values: { session: id, driven_by, limits } });
}

/** Without features at the start, the initializer writes them. */
export function check(session: Session, event: EventOf<'features_known'>): Step {
  return event.features.length === 0 ? initialize(session, event) : go(session, 'choosing', event.at);
}

export function initialize(session: Session, { at }: { at: string }): Step {
  const limit = session.limit ?? reachedLimit(session, at);
  if (limit) return go(session, 'choosing', at, { values: { limit } });
  return go(session, 'initializing', at, { values: { ...NO_FEATURE, attempt: 1 } });
}

export function chooseNext(session: Session, event: EventOf<'features_known'>): Step {
  return event.features.length === 0 ? endEmpty(session, event) : chooseFeature(session, event);
}

export function endEmpty(session: Session, { at }: { at: string }): Step {
  return end(session, at, session.limit ?? 'no_features', { values: { left: [], left_count: 0 } });
}

/** Reopens features that did not pass the final verification, including those without a result. */
export function finish(session: Session, { at, results }: EventOf<'all_verified'>): Step {
  const told = new Map(results.map((one) => [one.feature, one]));
  const changes: SessionChange[] = [];
  const done: string[] = [];
  for (const feature of session.completed) {
    const result = told.get(feature);
    if (result?.outcome === 'pass' && result.evidence.length > 0) done.push(feature);
    else
      changes.push({
        type: 'reopen_feature',
        feature,
        why: result?.why || 'It has no result in the final verification.',
      });
  }
  const reopened = changes.map(({ feature }) => feature);
  const known: EndReason = session.end ?? 'nothing_runnable';
  const reason = known === 'all_done' && reopened.length > 0 ? 'reopened' : known;
  const last_result =
    reopened.length > 0
      ? `Reopened by the final verification: ${reopened.slice(0, 20).join(', ')}.`
      : 'All completed features were verified together.';
  const values = { completed: done, reopened: [...session.reopened, ...reopened], last_result };
  return end(session, at, reason, { values, changes });
}

/** Only the first are stored. */
const MAX_LEFT = 100;

/** Starts the next feature, or ends the session. */
function chooseFeature(session: Session, { at, features }: EventOf<'features_known'>): Step {
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
