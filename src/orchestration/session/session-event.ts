import type { Outcome } from '../../domain/entities/verification.ts';
import type { BuildEnded } from '../../store/ledger/kinds/sessions/builds.ts';
import type { SessionFeature } from './next-runnable.ts';
import type { Limit, Session, SessionLimits } from './session.ts';

/** The attempt of an event; late or repeated events have another one and are refused. */
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

/** An event without its time. */
export type Happening =
  | {
      type: 'session_started';
      session: string;
      driven_by: Session['driven_by'];
      limits: SessionLimits;
    }
  | { type: 'features_known'; features: readonly SessionFeature[] }
  | { type: 'no_features' }
  /** Without faults, the list is accepted. */
  | { type: 'initializer_finished'; attempt: number; faults: readonly string[]; cost_usd?: number }
  /** An agent's claim at its end; it decides the next phase and is never evidence. */
  | ({
      type: 'agent_finished';
      agent: 'coding' | 'tester';
      claim: 'done' | 'failed' | 'none';
      said: string;
    } & OfAttempt)
  | ({ type: 'agent_crashed'; why: string } & OfAttempt)
  /** The cost since the last such event. */
  | ({
      type: 'build_ended';
      outcome: BuildEnded['outcome'];
      why: string;
      tried: string;
      /** Gates that did not pass. */
      gates?: readonly string[];
      cost_usd: number;
    } & OfAttempt)
  | ({
      type: 'verified';
      outcome: Outcome;
      evidence: readonly string[];
      /** Required gates that did not pass. */
      gates: readonly NamedGate[];
    } & OfAttempt)
  /** All completed features verified together; a feature without a result has not passed. */
  | { type: 'all_verified'; results: readonly LastResult[] }
  | { type: 'rate_limited'; until: string; why: string }
  | { type: 'wait_over' }
  | { type: 'limit_reached'; limit: Limit }
  /** The orchestrating agent tries to stop. */
  | { type: 'stop_wanted'; may_refuse: boolean }
  | { type: 'person_prompted' }
  | { type: 'paused' }
  /** `limits` replace the session's. */
  | { type: 'resumed'; limits?: SessionLimits }
  | { type: 'abandoned' }
  /** An external error; nothing can be decided. */
  | { type: 'trouble_met'; why: string }
  | { type: 'feature_added'; feature: string }
  | { type: 'feature_edited'; feature: string }
  | { type: 'feature_unblocked'; feature: string }
  | { type: 'feature_removed'; feature: string };

export type SessionEvent = { at: string } & Happening;

export type SessionEventType = SessionEvent['type'];

export type EventOf<Type extends SessionEventType> = Extract<SessionEvent, { type: Type }>;
