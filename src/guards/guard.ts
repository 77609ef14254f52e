import type { GuardMode } from '../domain/protection/guard-mode.ts';
import type { Action, ActionKind } from './action.ts';
import type { GuardFacts } from './guard-facts.ts';
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
