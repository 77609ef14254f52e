import type { BuildEnded } from '../../store/ledger/kinds/sessions/builds.ts';
import { composeDossier } from './compose-dossier.ts';
import { type Failure, MAX_ATTEMPTS, type Session } from './session.ts';
import type { SessionChange } from './session-effect.ts';
import type { EventOf } from './session-event.ts';
import { go, NO_FEATURE, pause, refuse, type Step } from './session-step.ts';
import { reachedLimit } from './start-and-finish.ts';

/** The effect of each build outcome on the attempt. */
const BUILD_MEANS: Record<BuildEnded['outcome'], 'verify' | 'failed' | 'stop' | 'pause'> = {
  approved: 'verify',
  max_turns: 'failed',
  escalated: 'failed',
  failed: 'failed',
  budget: 'stop',
  cancelled: 'pause',
};

export function endBuild(session: Session, event: EventOf<'build_ended'>): Step {
  const stale = refuseStale(session, event);
  if (stale) return stale;
  const { at, feature, outcome, why } = event;
  const spent = withCost(session, event.cost_usd);
  const told = { last_result: tell(`${feature}: the build ended with ${outcome}. ${why}`) };
  switch (BUILD_MEANS[outcome]) {
    case 'verify':
      // An approval is not evidence; the gate results are.
      return go(spent, 'verifying', at, { values: told });
    case 'failed':
      return failAttempt(spent, at, { outcome, why, tried: event.tried, gates: [...(event.gates ?? [])] });
    case 'stop':
      return go(spent, 'choosing', at, { values: { ...NO_FEATURE, ...told, limit: 'budget' } });
    case 'pause':
      return pause(spent, at, 'cancelled', { values: told });
  }
}

/** Only a pass with evidence completes a feature. */
export function endVerification(session: Session, event: EventOf<'verified'>): Step {
  const stale = refuseStale(session, event);
  if (stale) return stale;
  const { at, feature, evidence } = event;
  const outcome = event.outcome === 'pass' && evidence.length === 0 ? 'absent' : event.outcome;
  if (outcome === 'pass' && session.objection === null) {
    return go(session, 'choosing', at, {
      values: {
        ...NO_FEATURE,
        completed: [...session.completed, feature],
        last_result: `${feature}: verified and completed.`,
      },
      changes: [{ type: 'complete_feature', feature, evidence }],
    });
  }
  if (outcome === 'pass') {
    const why = session.objection ?? '';
    return failAttempt(session, at, { outcome: 'objection', why, tried: '', gates: [] });
  }
  const reasons = event.gates.map(({ gate, result, reason }) => `${gate} ${result}: ${reason}`);
  const why = reasons.join('\n') || 'The verification produced no evidence.';
  return failAttempt(session, at, { outcome, why, tried: '', gates: event.gates.map(({ gate }) => gate) });
}

/** The first failed attempt is followed by a second, which is told of it; the second failure blocks the feature. */
export function failAttempt(session: Session, at: string, told: Omit<Failure, 'attempt'>): Step {
  const { feature, attempt } = session;
  if (feature === null) return refuse('no feature is active');
  const failure = { attempt, ...told, why: tell(told.why), tried: tell(told.tried) };
  const failures = [...session.failures, failure].slice(-MAX_ATTEMPTS);
  const changes: SessionChange[] = [{ type: 'count_failure', feature, retries: attempt, failure }];
  const last_result = tell(`${feature}: attempt ${attempt} failed (${told.outcome}). ${told.why}`);
  if (attempt >= MAX_ATTEMPTS) {
    changes.push({ type: 'block_feature', feature, dossier: composeDossier(feature, failures) });
    const values = { ...NO_FEATURE, last_result, blocked: [...session.blocked, feature] };
    return go(session, 'choosing', at, { values, changes });
  }
  const limit = session.limit ?? reachedLimit(session, at);
  if (limit) return go(session, 'choosing', at, { values: { ...NO_FEATURE, last_result, limit }, changes });
  const values = { failures, attempt: attempt + 1, objection: null, last_result };
  return go(session, 'coding', at, { values, changes });
}

/** A late or repeated report must not count for the current attempt. */
export function refuseStale(
  { feature, attempt }: Session,
  event: { feature: string; attempt: number },
): Extract<Step, { ok: false }> | undefined {
  if (event.feature === feature && event.attempt === attempt) return undefined;
  const now = feature === null ? 'no feature is active' : `attempt ${attempt} of ${feature} is active`;
  return { ok: false, why: `stale event of attempt ${event.attempt} of ${event.feature}: ${now}` };
}

export function withCost(session: Session, cost: number): Session {
  return Number.isFinite(cost) && cost > 0 ? { ...session, spent_usd: session.spent_usd + cost } : session;
}

const MAX_TOLD = 2000;

/** Agents write it and every step stores it, so it is cut. */
export function tell(text: string): string {
  const told = text.trim();
  return told.length > MAX_TOLD ? `${told.slice(0, MAX_TOLD)}…` : told;
}
