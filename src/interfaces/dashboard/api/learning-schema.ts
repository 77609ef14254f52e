import * as z from 'zod';
import { learnedGuardSchema } from '../../../domain/entities/learned-guard.ts';
import { patternSchema } from '../../../domain/entities/pattern.ts';

const text = z.string();
const seriesSchema = z.object({ total: z.number().nullable(), periods: z.array(z.number().nullable()) });

/** As in `guardkit metrics --json`. */
const metricsSchema = z.object({
  since: text,
  until: text,
  periods: z.array(text),
  premature_completions: z.object({ attempted: seriesSchema, blocked: seriesSchema }),
  user_prompts: z.object({ prompts: seriesSchema, features: seriesSchema, per_feature: seriesSchema }),
  prompt_size: z.object({
    tokens: seriesSchema,
    longest_agent_file: z.object({ file: text, lines: z.int() }).nullable(),
  }),
  repeated_mistakes: z.object({ mistakes: seriesSchema, repeated: seriesSchema, share: seriesSchema }),
  compliance: z.object({ actions: seriesSchema, refused: seriesSchema, share: seriesSchema }),
});

export const learningSchema = z.object({
  metrics: metricsSchema,
  patterns: z.array(
    patternSchema.pick({
      pattern_id: true,
      what: true,
      type: true,
      agent: true,
      guard: true,
      count: true,
      features: true,
      sessions: true,
      first_at: true,
      last_at: true,
      trend: true,
      examples: true,
      correct: true,
      suggests: true,
    }),
  ),
  proposals: z.array(
    learnedGuardSchema
      .pick({ guard_id: true, mode: true, pattern_id: true, origin: true, backtest: true, proposed_at: true })
      .extend({ summary: text, mode_since: text }),
  ),
});
export type LearningAnswer = z.infer<typeof learningSchema>;
export type Metrics = LearningAnswer['metrics'];
export type Series = z.infer<typeof seriesSchema>;
