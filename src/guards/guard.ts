import type { Feature } from '../domain/entities/feature.ts';
import type { GuardMode, RequiredEvidence } from '../domain/protection/guard-mode.ts';
import type { Action, ActionKind } from './action.ts';

export const DECISIONS = ['allow', 'warn', 'ask', 'deny'] as const;

/** From the mildest to the strictest. */
export type Decision = (typeof DECISIONS)[number];

/** One guard's objection to one action. */
export interface Finding {
  guard: string;
  /** The decision, if the finding is not silent. */
  decision: Exclude<Decision, 'allow'>;
  /** What is wrong, for the agent and the person. */
  reason: string;
  /** What to do instead. */
  guidance: string;
  /** Recorded without effect: the guard is in shadow mode, or a waiver covers it. */
  silent: 'shadow' | 'waived' | undefined;
  /** Id of the waiver that covers it. */
  waiver: string | undefined;
}

export interface Verdict {
  decision: Decision;
  /** The strictest first. */
  findings: readonly Finding[];
}

export const ALLOWED: Verdict = { decision: 'allow', findings: [] };

export { GUARD_MODES, type GuardMode } from '../domain/protection/guard-mode.ts';

export interface Objection {
  decision: Exclude<Decision, 'allow'>;
  reason: string;
  guidance: string;
  /** For `ask`: the decision if the session cannot ask a person (default: `deny`). */
  unasked?: 'deny' | 'warn';
}

/** Judges an action before it happens. Built in, or compiled from a project's YAML. */
export interface Guard {
  id: string;
  /** One sentence about its rule. */
  summary: string;
  origin: 'built-in' | 'project' | 'learned';
  /** Default mode. */
  mode: GuardMode;
  /** By default, acts only in sessions that GuardKit drives. */
  drivenOnly: boolean;
  kinds: readonly ActionKind[];
  /** ISO time after which it no longer acts. */
  expires: string | undefined;
  /** Pure; undefined if it has no objection. */
  judge(action: Action, facts: GuardFacts): Objection | undefined;
}

/** A person's permission to bypass a guard. */
export interface Waiver {
  id: string;
  guard: string;
  /** ISO time; undefined if the waiver counts uses. */
  until: string | undefined;
  /** Remaining uses; undefined if the waiver is limited by time. */
  uses: number | undefined;
  reason: string;
}

/** Facts for guards, collected before they judge. */
export interface GuardFacts {
  now: string;
  /** Real path of the project's folder. */
  root: string;
  /** Real path of the data folder. */
  dataFolder: string;
  /** Whether GuardKit drives the session, through a run or `/guardkit-run`. */
  driven: boolean;
  /** Whether the agent can ask a person through a permission prompt. */
  canAsk: boolean;
  /** Whether the agent's commands run in the shell wrapper, which blocks writes that the command analysis cannot see. */
  wrapped: boolean;
  waivers: readonly Waiver[];
  /** Why servers in a new `.mcp.json` would start unasked; undefined if a person at the terminal is asked (default: nobody is). */
  unaskedServers?(): string | undefined;
  /** The features in GuardKit's records; loaded only by guards that need them. */
  features(): readonly Feature[];
  /** Evidence for the current files; loaded only by guards that require it. */
  evidence(of: RequiredEvidence): 'pass' | 'fail' | 'absent';
}
