import * as z from 'zod';

/** `learning:` of the configuration. */
export const learningSchema = z.strictObject({
  /** How many actions of agents are kept, to backtest guards. */
  actions: z
    .union(
      [
        z.literal('off'),
        z.strictObject({
          days: z.int().min(1).max(3650).optional(),
          megabytes: z.int().min(1).max(10_000).optional(),
        }),
      ],
      { error: 'expected off or {days: a number, megabytes: a number}' },
    )
    .optional(),
  /** Whether corrections are detected in prompts. */
  corrections: z.enum(['on', 'off']).optional(),
  /** Minimum count, features and sessions of a pattern. */
  patterns: z
    .strictObject({
      count: z.int().min(2).max(1000).optional(),
      features: z.int().min(1).max(100).optional(),
      sessions: z.int().min(1).max(100).optional(),
    })
    .optional(),
  /** Whether, and how far, a learned guard may be promoted without a person. */
  auto_promote: z
    .union(
      [
        z.literal('off'),
        z.strictObject({
          to: z.enum(['warn', 'enforce']),
          /** Required correct hits, with no false block. */
          hits: z.int().min(1).max(10_000),
        }),
      ],
      { error: 'expected off or {to: warn | enforce, hits: a number}' },
    )
    .optional(),
  /** Number of wrong refusals after which a learned guard is demoted. */
  demote_after: z.int().min(1).max(1000).optional(),
});

export type LearningConfig = z.infer<typeof learningSchema>;
