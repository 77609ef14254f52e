import * as z from 'zod';

/** `learning:` of the configuration. */
export const learningSchema = z.strictObject({
  /** Whether what agents do is kept, to try guards on, and how much of it. */
  actions: z
    .union(
      [
        z.literal('off'),
        z.strictObject({
          days: z.int().min(1).max(3650).optional(),
          megabytes: z.int().min(1).max(10_000).optional(),
        }),
      ],
      { error: 'off or {days: a number, megabytes: a number} is expected' },
    )
    .optional(),
  /** Whether prompts are read for corrections of what an agent did. */
  corrections: z.enum(['on', 'off']).optional(),
  /** How often something has to happen, and in how many features and sessions, to be a pattern. */
  patterns: z
    .strictObject({
      count: z.int().min(2).max(1000).optional(),
      features: z.int().min(1).max(100).optional(),
      sessions: z.int().min(1).max(100).optional(),
    })
    .optional(),
  /** Whether a guard that was made of a pattern may come into force without a person, and how far. */
  auto_promote: z
    .union(
      [
        z.literal('off'),
        z.strictObject({
          to: z.enum(['warn', 'enforce']),
          /** How often it must have been right, with no false block at all. */
          hits: z.int().min(1).max(10_000),
        }),
      ],
      { error: 'off or {to: warn | enforce, hits: a number} is expected' },
    )
    .optional(),
  /** After how many refusals that were wrong a guard that was learned only watches again. */
  demote_after: z.int().min(1).max(1000).optional(),
});

export type LearningConfig = z.infer<typeof learningSchema>;
