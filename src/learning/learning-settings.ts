import type { LearningConfig } from '../config/project/learning-config.ts';

export interface PatternThresholds {
  /** Traces, of which one session gives at most `MOST_OF_A_SESSION`. */
  count: number;
  /** Different features; where none is known, sessions stand for them. */
  features: number;
  sessions: number;
}

/** How far guards may come into force by themselves. */
export interface AutoPromotion {
  to: 'warn' | 'enforce';
  hits: number;
}

export interface LearningSettings {
  thresholds: PatternThresholds;
  /** Undefined where only a person promotes. */
  autoPromote: AutoPromotion | undefined;
  demoteAfter: number;
}

/** What `learning:` says, and the defaults for the rest. */
export function learningSettings(learning: LearningConfig | undefined): LearningSettings {
  const { patterns, auto_promote = 'off', demote_after = 2 } = learning ?? {};
  return {
    thresholds: {
      count: patterns?.count ?? 3,
      features: patterns?.features ?? 2,
      // One session, however noisy, is one agent's doing on one day.
      sessions: patterns?.sessions ?? 2,
    },
    autoPromote: auto_promote === 'off' ? undefined : auto_promote,
    demoteAfter: demote_after,
  };
}
