import type { SessionPhase } from '../../domain/entities/session-state.ts';
import { agentOf } from './project-session.ts';
import type { EndReason, Pause, Session } from './session.ts';
import type { SessionAct, SessionChange } from './session-effect.ts';

/** What an event leads to; a refusal changes nothing. */
export type Step =
  | { ok: true; session: Session; changes: readonly SessionChange[]; acts: readonly SessionAct[] }
  | { ok: false; why: string };

export interface Along {
  values?: Partial<Session>;
  changes?: readonly SessionChange[];
  /** Before the phase's own work. */
  acts?: readonly SessionAct[];
  /** The phase's work was begun before. */
  resume?: boolean;
}

export const NO_FEATURE: Pick<Session, 'feature' | 'attempt' | 'failures' | 'objection'> = {
  feature: null,
  attempt: 0,
  failures: [],
  objection: null,
};

/** Into a phase, where its work begins. */
export function go(session: Session, phase: SessionPhase, at: string, along: Along = {}): Step {
  const fresh = { stops: 0, suspended: null, pause: null, wait_until: null };
  const next: Session = { ...session, ...fresh, ...along.values, phase, since: at };
  const acts = [...(along.acts ?? []), ...workOf(next, along.resume ?? false)];
  return { ok: true, session: next, changes: along.changes ?? [], acts };
}

/** Where it is, with its work going on. */
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

/** What sets a phase's work going. */
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

/** Ends the agent at work, if there is one. */
export function stopAgent({ phase, feature }: Session): SessionAct[] {
  const agent = agentOf(phase);
  return agent ? [{ type: 'stop_agent', agent, feature }] : [];
}

/** Lets everything rest until somebody resumes it. */
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

/** Why a session ended, in words. */
export const END_WORDS: Record<EndReason, string> = {
  all_done: 'Every feature is done.',
  nothing_runnable: 'No further feature can be begun.',
  reopened: 'The last verification of everything together reopened some features.',
  until: 'The time that was given is over.',
  budget: 'The budget is spent.',
  max_features: 'As many features were finished as were asked for.',
  no_features: 'There are no features to work on.',
  abandoned: 'A person abandoned the session.',
};

/** The same of one that has ended, with what kept it from having anything to do. */
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
