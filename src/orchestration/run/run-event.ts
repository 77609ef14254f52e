import type { SessionPhase } from '../../domain/entities/session-state.ts';
import type { GateResult, Outcome } from '../../domain/entities/verification.ts';
import type { VerifyEvent } from '../../verification/runs/run-context.ts';
import type { BuildEvent } from '../feature-build/build-event.ts';
import type { EndReason, Failure } from '../session/session.ts';

/** Events of a run and its builds, for display and logs. */
export type RunEvent =
  | { type: 'run_began'; session: string; branch: string; base: string; resumed: boolean }
  | {
      type: 'run_moved';
      event: string;
      from: SessionPhase;
      to: SessionPhase;
      feature: string | null;
      attempt: number;
      /** The previous attempt's failure; null for the first attempt. */
      failure: Pick<Failure, 'attempt' | 'outcome' | 'why'> | null;
      result: string | null;
    }
  | { type: 'run_refused'; event: string; why: string }
  | { type: 'run_verifying'; feature: string; event: VerifyEvent }
  | { type: 'run_verified'; feature: string; outcome: Outcome; gates: readonly GateResult[]; last: boolean }
  /** The branch now includes the feature. */
  | { type: 'run_stacked'; feature: string; commit: string; branch: string }
  | { type: 'run_waiting'; until: string; why: string }
  | { type: 'run_ended'; reason: EndReason | 'paused'; why: string }
  | BuildEvent;
