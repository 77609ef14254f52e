import { projectSession } from './project-session.ts';
import type { Session } from './session.ts';
import type { SessionEffect } from './session-effect.ts';
import type { SessionEvent } from './session-event.ts';
import { rowOf } from './session-table.ts';

/**
 * Applies an event to a session: the next state, and the effects in order. All decisions are made here. An event that does
 * not apply changes nothing and is recorded as refused.
 */
export function transition(session: Session, event: SessionEvent): [Session, SessionEffect[]] {
  const { phase } = session;
  const row = rowOf(phase, event.type);
  const step = row?.decide(session, event) ?? {
    ok: false,
    why: `${event.type} does not apply while the session is ${phase}`,
  };
  if (!step.ok) return [session, [{ type: 'record_refusal', event: event.type, phase, why: step.why }]];
  const next = { ...step.session, step: session.step + 1 };
  return [
    next,
    [
      {
        type: 'record',
        event: event.type,
        from: phase,
        to: next.phase,
        feature: next.feature ?? session.feature,
        attempt: next.feature === null ? session.attempt : next.attempt,
        result: next.last_result,
      },
      ...step.changes,
      { type: 'write_projection', content: projectSession(next) },
      ...step.acts,
    ],
  ];
}
