import type { Outcome } from '../../domain/entities/verification.ts';
import type { BuildEnded } from '../../store/ledger/kinds/sessions/builds.ts';
import type { SessionFeature } from './next-runnable.ts';
import type { Limit, Session, SessionLimits } from './session.ts';

/** The attempt an event is of: one that comes late or twice is of another, and refused. */
interface OfAttempt {
  feature: string;
  attempt: number;
}

interface NamedGate {
  gate: string;
  result: Outcome;
  reason: string;
}

export interface LastResult {
  feature: string;
  outcome: Outcome;
  evidence: readonly string[];
  why: string;
}

/** An event before it is known when it is told. */
export type Happening =
  | {
      type: 'session_started';
      session: string;
      driven_by: Session['driven_by'];
      limits: SessionLimits;
    }
  | { type: 'features_known'; features: readonly SessionFeature[] }
  | { type: 'no_features' }
  /** With no fault the list stands. */
  | { type: 'initializer_finished'; attempt: number; faults: readonly string[]; cost_usd?: number }
  /** What an agent says at its end: where to go on, and never evidence. */
  | ({
      type: 'agent_finished';
      agent: 'coding' | 'tester';
      claim: 'done' | 'failed' | 'none';
      said: string;
    } & OfAttempt)
  | ({ type: 'agent_crashed'; why: string } & OfAttempt)
  /** The cost is what came to it since the last such event. */
  | ({
      type: 'build_ended';
      outcome: BuildEnded['outcome'];
      why: string;
      tried: string;
      /** Gates that did not pass at its end. */
      gates?: readonly string[];
      cost_usd: number;
    } & OfAttempt)
  | ({
      type: 'verified';
      outcome: Outcome;
      evidence: readonly string[];
      /** Those that are required and did not pass. */
      gates: readonly NamedGate[];
    } & OfAttempt)
  /** Everything that was completed, together, once more; a feature that is not among these has not passed. */
  | { type: 'all_verified'; results: readonly LastResult[] }
  | { type: 'rate_limited'; until: string; why: string }
  | { type: 'wait_over' }
  | { type: 'limit_reached'; limit: Limit }
  /** The agent that is told what is next wants to stop. */
  | { type: 'stop_wanted'; may_refuse: boolean }
  | { type: 'person_prompted' }
  | { type: 'paused' }
  /** With limits, these hold from now on. */
  | { type: 'resumed'; limits?: SessionLimits }
  | { type: 'abandoned' }
  /** Something outside failed, so that nothing can be decided. */
  | { type: 'trouble_met'; why: string }
  | { type: 'feature_added'; feature: string }
  | { type: 'feature_edited'; feature: string }
  | { type: 'feature_unblocked'; feature: string }
  | { type: 'feature_removed'; feature: string };

export type SessionEvent = { at: string } & Happening;

export type SessionEventType = SessionEvent['type'];

export type EventOf<Type extends SessionEventType> = Extract<SessionEvent, { type: Type }>;
