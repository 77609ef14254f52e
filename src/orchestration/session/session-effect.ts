import type { SessionAgent, SessionPhase, SessionStateFile } from '../../domain/entities/session-state.ts';
import type { Dossier } from './compose-dossier.ts';
import type { EndReason, Failure, Left } from './session.ts';
import type { SessionEventType } from './session-event.ts';

export interface SessionSummary {
  done: readonly string[];
  blocked: readonly string[];
  reopened: readonly string[];
  /** The first unfinished features, with the reason. */
  left: readonly Left[];
  left_count: number;
  spent_usd: number;
}

/** Changes to record before any act. */
export type SessionChange =
  | { type: 'begin_feature'; feature: string; attempt: number }
  | { type: 'count_failure'; feature: string; retries: number; failure: Failure }
  | { type: 'complete_feature'; feature: string; evidence: readonly string[] }
  | { type: 'block_feature'; feature: string; dossier: Dossier }
  | { type: 'reopen_feature'; feature: string; why: string };

/** Acts to perform after recording. */
export type SessionAct =
  | { type: 'read_features' }
  | {
      type: 'spawn_agent';
      agent: SessionAgent;
      /** Null for the initializer. */
      feature: string | null;
      attempt: number;
      /** Continues an attempt that was started before. */
      resume: boolean;
      /** Earlier failures, the oldest first. */
      failures: readonly Failure[];
    }
  | { type: 'stop_agent'; agent: SessionAgent; feature: string | null }
  | { type: 'verify'; feature: string; attempt: number }
  | { type: 'verify_all'; features: readonly string[] }
  | { type: 'wait_until'; until: string; why: string }
  /** Answers to an agent that tries to stop. */
  | { type: 'keep_going'; next: string }
  | { type: 'let_stop'; why: string }
  | { type: 'end'; reason: EndReason; why: string; summary: SessionSummary };

export type SessionEffect =
  | {
      type: 'record';
      event: SessionEventType;
      from: SessionPhase;
      to: SessionPhase;
      feature: string | null;
      attempt: number;
      result: string | null;
    }
  /** The event does not apply in this phase; nothing changed. */
  | { type: 'record_refusal'; event: SessionEventType; phase: SessionPhase; why: string }
  | { type: 'write_projection'; content: SessionStateFile }
  | SessionChange
  | SessionAct;
