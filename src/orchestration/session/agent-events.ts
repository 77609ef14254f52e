import { failAttempt, refuseStale, tell, withCost } from './end-attempt.ts';
import { MAX_ATTEMPTS, type Session } from './session.ts';
import type { EventOf } from './session-event.ts';
import { go, NO_FEATURE, pause, refuse, type Step, stay, stopAgent } from './session-step.ts';

export function initializerFinished(before: Session, event: EventOf<'initializer_finished'>): Step {
  const { at, attempt, faults } = event;
  if (attempt !== before.attempt)
    return refuse(`stale event of attempt ${attempt}: attempt ${before.attempt} is active`);
  const session = withCost(before, event.cost_usd ?? 0);
  if (faults.length === 0) {
    const last_result = 'The initializer wrote the feature list.';
    return go(session, 'choosing', at, { values: { ...NO_FEATURE, last_result } });
  }
  const failure = { attempt, outcome: 'faults', why: tell(faults.join('\n')), tried: '', gates: [] };
  const last_result = tell(`The feature list has errors. ${failure.why}`);
  // A person may have added features meanwhile; without any, the session ends in `choosing`.
  if (attempt >= MAX_ATTEMPTS) return go(session, 'choosing', at, { values: { ...NO_FEATURE, last_result } });
  const failures = [...session.failures, failure];
  return go(session, 'initializing', at, { values: { failures, attempt: attempt + 1, last_result } });
}

export function codingFinished(session: Session, event: EventOf<'agent_finished'>): Step {
  if (event.agent !== 'coding') return refuse('the tester is not active');
  const stale = refuseStale(session, event);
  if (stale) return stale;
  if (event.claim === 'failed')
    return failAttempt(session, event.at, { outcome: 'gave_up', why: event.said, tried: '', gates: [] });
  const last_result = `${event.feature}: the coding agent ended.`;
  return go(session, 'testing', event.at, { values: { last_result } });
}

/** GuardKit verifies in any case; an objection of the tester still fails the attempt. */
export function testerFinished(session: Session, event: EventOf<'agent_finished'>): Step {
  if (event.agent !== 'tester') return refuse('the coding agent is not active');
  const stale = refuseStale(session, event);
  if (stale) return stale;
  const objection = event.claim === 'failed' ? tell(event.said) || 'The tester gave no reason.' : null;
  const last_result = `${event.feature}: the tester ended${objection === null ? '' : ' and objects'}.`;
  return go(session, 'verifying', event.at, { values: { objection, last_result } });
}

export function agentCrashed(session: Session, event: EventOf<'agent_crashed'>): Step {
  const stale = refuseStale(session, event);
  if (stale) return stale;
  const { at, feature, why } = event;
  if (session.phase === 'coding')
    return failAttempt(session, at, { outcome: 'crashed', why, tried: '', gates: [] });
  // A crash of the tester says nothing about the work.
  return go(session, 'verifying', at, {
    values: { last_result: tell(`${feature}: the tester crashed. ${why}`) },
  });
}

/** A pause lets a running agent finish; the session resumes from its result. */
export function finishedInPause(
  session: Session,
  event: EventOf<'agent_finished'> | EventOf<'build_ended'>,
): Step {
  const stale = refuseStale(session, event);
  if (stale) return stale;
  if (event.type === 'build_ended') {
    const isDone = session.suspended === 'coding' && event.outcome === 'approved';
    return stay(withCost(session, event.cost_usd), isDone ? { suspended: 'verifying' } : {});
  }
  if (event.agent === 'coding')
    return session.suspended === 'coding' && event.claim !== 'failed'
      ? stay(session, { suspended: 'testing' })
      : stay(session);
  if (session.suspended !== 'testing') return stay(session);
  const objection = event.claim === 'failed' ? tell(event.said) || 'The tester gave no reason.' : null;
  return stay(session, { suspended: 'verifying', objection });
}

export function waitForLimit(session: Session, { at, until, why }: EventOf<'rate_limited'>): Step {
  const last_result = tell(`The agent is rate limited until ${until}. ${why}`);
  const last = session.limits.until;
  if (last !== null && until >= last)
    return go(session, 'choosing', at, { values: { ...NO_FEATURE, last_result, limit: 'until' } });
  return go(session, 'waiting', at, {
    values: { suspended: session.phase, wait_until: until, last_result },
  });
}

export function waitOver(session: Session, { at }: EventOf<'wait_over'>): Step {
  return go(session, session.suspended ?? 'choosing', at, { resume: true });
}

export function limitReached(session: Session, { at, limit }: EventOf<'limit_reached'>): Step {
  switch (session.phase) {
    case 'initializing':
    case 'coding':
    case 'testing':
    case 'waiting':
      return go(session, 'choosing', at, { values: { ...NO_FEATURE, limit }, acts: stopAgent(session) });
    default:
      // A verification finishes: the work it judges is done.
      return stay(session, { limit: session.limit ?? limit });
  }
}

export function troubleMet(session: Session, { at, why }: EventOf<'trouble_met'>): Step {
  return pause(session, at, 'trouble', { values: { last_result: tell(why) }, acts: stopAgent(session) });
}
