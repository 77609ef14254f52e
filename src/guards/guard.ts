import type { Feature } from '../domain/entities/feature.ts';
import type { GuardMode, RequiredEvidence } from '../domain/protection/guard-mode.ts';
import type { Action, ActionKind } from './action.ts';
import type { Decision } from './verdict.ts';

export { GUARD_MODES, type GuardMode } from '../domain/protection/guard-mode.ts';

export interface Objection {
  decision: Exclude<Decision, 'allow'>;
  reason: string;
  guidance: string;
  /** For `ask`: the decision where nobody can be asked (default: `deny`). */
  unasked?: 'deny' | 'warn';
}

/** Judges an action before it happens. Built in, or compiled from a project's YAML. */
export interface Guard {
  id: string;
  /** One sentence on what it holds. */
  summary: string;
  origin: 'built-in' | 'project' | 'learned';
  /** How it acts where the configuration says nothing. */
  mode: GuardMode;
  /** Acts only in a session that GuardKit drives, unless the configuration turns it on. */
  drivenOnly: boolean;
  kinds: readonly ActionKind[];
  /** ISO time after which it no longer acts. */
  expires: string | undefined;
  /** Pure; undefined where it has nothing to say. */
  judge(action: Action, facts: GuardFacts): Objection | undefined;
}

/** A person's word that a guard may be passed. */
export interface Waiver {
  id: string;
  guard: string;
  /** ISO; undefined for one that counts uses. */
  until: string | undefined;
  /** How often it may still be used; undefined for one that counts time. */
  uses: number | undefined;
  reason: string;
}

/** What guards may know of the world; gathered before they are asked. */
export interface GuardFacts {
  now: string;
  /** Real path of the project's folder. */
  root: string;
  /** Real path of the data folder. */
  dataFolder: string;
  /** Of the session: one that GuardKit drives, through a run or `/guardkit-run`. */
  driven: boolean;
  /** Somebody can be asked: the agent has a permission prompt with a person behind it. */
  canAsk: boolean;
  /** The agent's commands run in the kernel wrapper, which refuses writes that no analysis of their text can see. */
  wrapped: boolean;
  waivers: readonly Waiver[];
  /** The features as GuardKit has them; asked for only by guards that need them. */
  features(): readonly Feature[];
  /** Whether GuardKit has seen this on the files as they are now; asked for only by guards that require it. */
  evidence(of: RequiredEvidence): 'pass' | 'fail' | 'absent';
}
