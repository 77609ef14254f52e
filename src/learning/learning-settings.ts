import type { LearningConfig } from '../config/project/learning-config.ts';

export interface PatternThresholds {
  /** Traces, counting at most `MAX_PER_SESSION` per session. */
  count: number;
  /** Different features; traces without a feature count by session. */
  features: number;
  sessions: number;
}

/** How far guards may be promoted without a person. */
export interface AutoPromotion {
  to: 'warn' | 'enforce';
  hits: number;
}

export interface LearningSettings {
  thresholds: PatternThresholds;
  /** Undefined if only a person promotes. */
  autoPromote: AutoPromotion | undefined;
  demoteAfter: number;
}

/** The `learning:` settings with defaults. */
export function learningSettings(learning: LearningConfig | undefined): LearningSettings {
  const { patterns, auto_promote = 'off', demote_after = 2 } = learning ?? {};
  return {
    thresholds: {
      count: patterns?.count ?? 3,
      features: patterns?.features ?? 2,
      // One session, however noisy, is one agent on one day.
      sessions: patterns?.sessions ?? 2,
    },
    autoPromote: auto_promote === 'off' ? undefined : auto_promote,
    demoteAfter: demote_after,
  };
}
