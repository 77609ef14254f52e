import type { TurnState } from '../../domain/entities/turn-state.ts';
import type { GateResult, Verification } from '../../domain/entities/verification.ts';
import type { BuildEnded } from '../../store/ledger/kinds/sessions/builds.ts';
import type { VerifyEvent } from '../../verification/runs/run-context.ts';
import type { AgentRole, AgentUsage } from '../drivers/agent-driver.ts';

/** The protections of a build, in words. */
export interface Protection {
  memory: string;
  sandbox: string;
  /** When guards check the agents' actions. */
  guards: string;
  gates: string;
}

/** Events of a build, for display and logs. */
export type BuildEvent =
  | { type: 'protected'; by: Protection }
  | {
      type: 'build_began';
      feature: string;
      tasks: readonly string[];
      worktree: string;
      branch: string;
      resumed: boolean;
    }
  | { type: 'notice'; text: string }
  | { type: 'task_began'; task: string; title: string }
  | { type: 'turn_began'; task: string; turn: number; mode: TurnState['mode'] }
  | {
      type: 'prompted';
      task: string;
      turn: number;
      role: AgentRole;
      injected: readonly string[];
      leftOut: readonly string[];
    }
  | { type: 'agent_began'; task: string; turn: number; role: AgentRole; driver: string }
  | { type: 'agent_did'; task: string; turn: number; role: AgentRole; line: string }
  | {
      type: 'agent_ended';
      task: string;
      turn: number;
      role: AgentRole;
      end: string;
      /** Set if it gave no answer. */
      why?: string | undefined;
      usage: AgentUsage;
      /** How many of its actions the guards refused. */
      refused: number;
      /** Files that it changed and GuardKit restored. */
      putBack: readonly string[];
    }
  | { type: 'waiting'; task: string; turn: number; why: string; until: number }
  | { type: 'committed'; task: string; turn: number; commit: string; putBack: readonly string[] }
  | { type: 'verifying'; task: string; turn: number; event: VerifyEvent }
  | {
      type: 'verified';
      task: string;
      turn: number;
      outcome: Verification['outcome'];
      gates: readonly GateResult[];
    }
  | {
      type: 'judged';
      task: string;
      turn: number;
      decision: TurnState['coach_decision'];
      overriddenBecause: readonly string[];
    }
  | { type: 'turn_captured'; task: string; turn: number; ok: true; seconds: number; costUsd: number | null }
  | { type: 'turn_captured'; task: string; turn: number; ok: false; why: string }
  | { type: 'task_ended'; task: string; outcome: string; turns: number }
  | { type: 'build_ended'; outcome: BuildEnded['outcome']; why: string; next: string; costUsd: number };
