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
