import type { SessionFeature } from '../../../src/orchestration/session/next-runnable.ts';
import {
  NO_LIMITS,
  newSession,
  type Session,
  type SessionLimits,
} from '../../../src/orchestration/session/session.ts';
import type { SessionEffect } from '../../../src/orchestration/session/session-effect.ts';
import type { SessionEvent } from '../../../src/orchestration/session/session-event.ts';
import { transition } from '../../../src/orchestration/session/transition.ts';

export const AT = '2026-11-15T09:00:00.000Z';

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'at'> : never;
export type Timeless = WithoutTime<SessionEvent> & { at?: string };

export function feature(id: string, values: Partial<SessionFeature> = {}): SessionFeature {
  return {
    id,
    priority: 3,
    status: 'pending',
    tested: false,
    evidence: [],
    retries: 0,
    dependencies: [],
    closed: false,
    ...values,
  };
}

/** A session with the effects of its last event. */
export class Told {
  session: Session = newSession();
  effects: SessionEffect[] = [];

  tell(...events: Timeless[]): this {
    for (const event of events)
      [this.session, this.effects] = transition(this.session, { at: AT, ...event } as SessionEvent);
    return this;
  }

  effect<Type extends SessionEffect['type']>(type: Type): Extract<SessionEffect, { type: Type }> | undefined {
    return this.effects.find((one): one is Extract<SessionEffect, { type: Type }> => one.type === type);
  }
}

export function started(
  features: readonly SessionFeature[],
  {
    limits = {},
    driven_by = 'hooks',
  }: { limits?: Partial<SessionLimits>; driven_by?: Session['driven_by'] } = {},
): Told {
  const told = new Told().tell({
    type: 'session_started',
    session: 'S-1',
    driven_by,
    limits: { ...NO_LIMITS, ...limits },
  });
  if (features.length === 0) return told.tell({ type: 'no_features' });
  return told.tell({ type: 'features_known', features }, { type: 'features_known', features });
}

export const coded = (name: string, attempt = 1): Timeless => ({
  type: 'agent_finished',
  agent: 'coding',
  feature: name,
  attempt,
  claim: 'done',
  said: '',
});

export const tested = (name: string, attempt = 1, claim: 'done' | 'failed' | 'none' = 'done'): Timeless => ({
  type: 'agent_finished',
  agent: 'tester',
  feature: name,
  attempt,
  claim,
  said: claim === 'failed' ? 'the total is wrong' : '',
});

export const passed = (name: string, attempt = 1): Timeless => ({
  type: 'verified',
  feature: name,
  attempt,
  outcome: 'pass',
  evidence: ['EV-1'],
  gates: [],
});

export const failed = (name: string, attempt = 1, outcome: 'fail' | 'absent' = 'fail'): Timeless => ({
  type: 'verified',
  feature: name,
  attempt,
  outcome,
  evidence: [],
  gates: [{ gate: 'tests', result: outcome, reason: 'adds up: expected 3, got 4' }],
});

export const built = (
  name: string,
  outcome: Extract<SessionEvent, { type: 'build_ended' }>['outcome'],
  attempt = 1,
): Timeless => ({
  type: 'build_ended',
  feature: name,
  attempt,
  outcome,
  why: `it was ${outcome}`,
  tried: 'a loop',
  cost_usd: 0.5,
});
