import type { SessionPhase } from '../../domain/entities/session-state.ts';
import { agentOf } from './project-session.ts';
import type { EndReason, Pause, Session } from './session.ts';
import type { SessionAct, SessionChange } from './session-effect.ts';

/** The result of an event; a refusal changes nothing. */
export type Step =
  | { ok: true; session: Session; changes: readonly SessionChange[]; acts: readonly SessionAct[] }
  | { ok: false; why: string };

export interface Along {
  values?: Partial<Session>;
  changes?: readonly SessionChange[];
  /** Acts before the phase's own work. */
  acts?: readonly SessionAct[];
  /** The phase's work was started before. */
  resume?: boolean;
}

export const NO_FEATURE: Pick<Session, 'feature' | 'attempt' | 'failures' | 'objection'> = {
  feature: null,
  attempt: 0,
  failures: [],
  objection: null,
};

/** Enters a phase and starts its work. */
export function go(session: Session, phase: SessionPhase, at: string, along: Along = {}): Step {
  const fresh = { stops: 0, suspended: null, pause: null, wait_until: null };
  const next: Session = { ...session, ...fresh, ...along.values, phase, since: at };
  const acts = [...(along.acts ?? []), ...workOf(next, along.resume ?? false)];
  return { ok: true, session: next, changes: along.changes ?? [], acts };
}

/** Stays in the phase while its work continues. */
export function stay(
  session: Session,
  values: Partial<Session> = {},
  acts: readonly SessionAct[] = [],
): Step {
  return { ok: true, session: { ...session, stops: 0, ...values }, changes: [], acts };
}

export function refuse(why: string): Step {
  return { ok: false, why };
}

/** The acts that start a phase's work. */
function workOf(session: Session, resume: boolean): SessionAct[] {
  const { phase, feature, attempt, failures } = session;
  switch (phase) {
    case 'checking':
    case 'choosing':
      return [{ type: 'read_features' }];
    case 'initializing':
    case 'coding':
    case 'testing': {
      const agent = agentOf(phase);
      return agent ? [{ type: 'spawn_agent', agent, feature, attempt, resume, failures }] : [];
    }
    case 'verifying':
      return feature === null ? [] : [{ type: 'verify', feature, attempt }];
    case 'verifying_all':
      return [{ type: 'verify_all', features: session.completed }];
    case 'waiting': {
      const { wait_until: until, last_result } = session;
      return until === null ? [] : [{ type: 'wait_until', until, why: last_result ?? '' }];
    }
    case 'new':
    case 'paused':
    case 'ended':
      return [];
  }
}

/** Stops the active agent, if any. */
export function stopAgent({ phase, feature }: Session): SessionAct[] {
  const agent = agentOf(phase);
  return agent ? [{ type: 'stop_agent', agent, feature }] : [];
}

/** Pauses the session until it is resumed. */
export function pause(
  session: Session,
  at: string,
  by: Pause,
  { values, acts }: Pick<Along, 'values' | 'acts'> = {},
): Step {
  const suspended = session.suspended ?? session.phase;
  return go(session, 'paused', at, {
    values: { ...values, suspended, pause: by },
    ...(acts ? { acts } : {}),
  });
}

export const END_WORDS: Record<EndReason, string> = {
  all_done: 'Every feature is done.',
  nothing_runnable: 'No other feature can be started.',
  reopened: 'The final verification reopened some features.',
  until: 'The time limit was reached.',
  budget: 'The spending limit was reached.',
  max_features: 'The requested number of features is finished.',
  no_features: 'There are no features to work on.',
  abandoned: 'A person abandoned the session.',
};

/** Why a session ended; without features, with the last result. */
export function whyEnded({ end, last_result }: Session): string {
  const words = END_WORDS[end ?? 'nothing_runnable'];
  return end === 'no_features' && last_result !== null ? `${words} ${last_result}` : words;
}

export function end(session: Session, at: string, reason: EndReason, along: Along = {}): Step {
  const values = { ...NO_FEATURE, ...along.values, end: reason };
  const { completed, blocked, reopened, left, left_count, spent_usd } = { ...session, ...values };
  const summary = { done: completed, blocked, reopened, left, left_count, spent_usd };
  const act: SessionAct = { type: 'end', reason, why: END_WORDS[reason], summary };
  return go(session, 'ended', at, { ...along, values, acts: [...(along.acts ?? []), act] });
}
