import { nextAction } from './project-session.ts';
import type { Session } from './session.ts';
import type { EventOf } from './session-event.ts';
import { end, go, NO_FEATURE, pause, type Step, stay, stopAgent } from './session-step.ts';

/** A person's change is read before the next choice; during the last verification, the session chooses again. */
export function listChanged(
  session: Session,
  event: EventOf<'feature_added' | 'feature_edited' | 'feature_unblocked'>,
): Step {
  const isFreed = event.type === 'feature_unblocked';
  const blocked = isFreed ? session.blocked.filter((id) => id !== event.feature) : session.blocked;
  return chooseAgain(session, event.at, { blocked });
}

export function featureRemoved(session: Session, { at, feature }: EventOf<'feature_removed'>): Step {
  const without = (ids: readonly string[]) => ids.filter((id) => id !== feature);
  const values = { completed: without(session.completed), blocked: without(session.blocked) };
  if (session.feature !== feature) return chooseAgain(session, at, values);
  const cleared = { ...values, ...NO_FEATURE, last_result: `${feature} was removed from the list.` };
  if (session.phase === 'paused') return stay(session, { ...cleared, suspended: 'choosing' });
  return go(session, 'choosing', at, { values: cleared, acts: stopAgent(session) });
}

function chooseAgain(session: Session, at: string, values: Partial<Session>): Step {
  if (session.phase === 'verifying_all')
    return go(session, 'choosing', at, { values: { ...values, end: null } });
  if (session.suspended === 'verifying_all') return stay(session, { ...values, suspended: 'choosing' });
  return stay(session, values);
}

/** Resumes after a pause, or after the driving process died. */
export function resume(before: Session, { at, limits }: EventOf<'resumed'>): Step {
  const session = limits ? { ...before, limits, limit: null } : before;
  if (session.phase === 'paused') return goBack(session, at);
  const { suspended, wait_until, since } = session;
  return go(session, session.phase, since, { values: { suspended, wait_until }, resume: true });
}

/** Returns to the suspended phase, unless a limit forbids starting it. */
function goBack(session: Session, at: string): Step {
  const phase = session.suspended ?? 'choosing';
  const isWork = phase === 'initializing' || phase === 'coding' || phase === 'testing';
  if (session.limit !== null && isWork) return go(session, 'choosing', at, { values: { ...NO_FEATURE } });
  return go(session, phase, at, { resume: true });
}

export function abandon(session: Session, { at }: EventOf<'abandoned'>): Step {
  return end(session, at, 'abandoned', { acts: stopAgent(session) });
}

/** After this many refused stops without progress, the agent may stop. */
const MAX_STOPS = 2;

export function stopWanted(session: Session, { at, may_refuse }: EventOf<'stop_wanted'>): Step {
  const letStop = (why: string) => [{ type: 'let_stop' as const, why }];
  if (!may_refuse) {
    return pause(session, at, 'block_limit', {
      acts: letStop('The agent program allows no further refusals.'),
    });
  }
  if (session.stops >= MAX_STOPS) {
    const why = `No progress after two reminders: ${nextAction(session)}`;
    return pause(session, at, 'no_progress', { acts: letStop(why) });
  }
  return stay(session, { stops: session.stops + 1 }, [{ type: 'keep_going', next: nextAction(session) }]);
}

export function allowStop(session: Session): Step {
  return stay(session, {}, [{ type: 'let_stop', why: nextAction(session) }]);
}
