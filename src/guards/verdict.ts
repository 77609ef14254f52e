export const DECISIONS = ['allow', 'warn', 'ask', 'deny'] as const;

/** From the mildest to the strictest. */
export type Decision = (typeof DECISIONS)[number];

/** What one guard says of one action. */
export interface Finding {
  guard: string;
  /** What it would do. */
  decision: Exclude<Decision, 'allow'>;
  /** What is wrong, in a sentence that the agent and a person can read. */
  reason: string;
  /** What to do instead. */
  guidance: string;
  /** Only counted: the guard runs in the shadow, or a waiver covers it. */
  silent: 'shadow' | 'waived' | undefined;
  /** The one that covers it. */
  waiver: string | undefined;
}

export interface Verdict {
  decision: Decision;
  /** The strictest first. */
  findings: readonly Finding[];
}

export const ALLOWED: Verdict = { decision: 'allow', findings: [] };
