import * as z from 'zod';
import { taskOutcomeSchema } from '../../../domain/entities/task-outcome.ts';
import { criterionStatusSchema } from '../../../domain/entities/turn-state.ts';
import { OUTCOMES } from '../../../domain/entities/verification.ts';
import { failureSchema } from '../../../store/ledger/kinds/sessions/attempts.ts';
import { BUILD_OUTCOMES } from '../../../store/ledger/kinds/sessions/builds.ts';
import { featureFields } from './schemas.ts';

const text = z.string();
const texts = z.array(text);
const outcome = z.enum(OUTCOMES);
const buildOutcome = z.enum(BUILD_OUTCOMES);
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

const spent = z.object({ seconds: z.number(), usd: maybe(z.number()) });
const parts = z.object({ planner: spent, player: spent, gates: spent, coach: spent, guardkit: spent });
const spentFields = {
  seconds: z.number(),
  usd: maybe(z.number()),
  input_tokens: z.number(),
  output_tokens: z.number(),
  parts,
};

/** `guardkit explain --json`. */
export const explanationSchema = z.object({
  feature: text,
  task: text,
  outcome: maybe(text),
  turns: z.int(),
  turns_before_reset: z.int(),
  approved_in: maybe(z.int()),
  last_failure: maybe(
    z.object({ turn: z.int(), tried: text, files: texts.readonly(), decision: text, why: texts }),
  ),
  causes: z.object({
    repeated_feedback: z.array(z.object({ feedback: text, turns: z.array(z.int()) })),
    moved_back: z.array(z.object({ criterion: text, verified_in: z.int(), lost_in: z.int(), why: text })),
    blocked_criteria: texts,
    blockers: z.array(z.object({ text, turns: z.array(z.int()) })),
    overridden_approvals: z.array(z.object({ turn: z.int(), because: texts })),
    gates: z.array(z.object({ gate: text, turns: z.array(z.int()), reason: text })),
    false_claims: z.array(z.object({ turn: z.int(), claims: texts })),
    no_report: z.array(z.int()),
    no_verdict: z.array(z.int()),
    cut_off: z.array(z.int()),
  }),
  spent: z.object({ ...spentFields, by_turn: z.array(z.object({ turn: z.int(), ...spentFields })) }),
  what_to_change: texts,
});

/** A turn of `guardkit turns --json`. */
export const turnSchema = z.object({
  id: text,
  feature_id: text,
  task_id: text,
  turn_number: z.int(),
  mode: text,
  player_summary: text,
  player_decision: maybe(text),
  files_modified: texts,
  progress_summary: text,
  blockers_found: texts,
  coach_decision: maybe(text),
  coach_feedback: maybe(text),
  acceptance_criteria_status: z.record(text, criterionStatusSchema),
  tests_passed: maybe(z.int()),
  tests_failed: maybe(z.int()),
  coverage: maybe(z.number()),
  arch_score: maybe(z.number()),
  started_at: maybe(text),
  completed_at: maybe(text),
  lessons_from_turn: texts,
  what_to_try_next: maybe(text),
  gates: z.array(z.object({ gate: text, result: outcome, required: maybe(z.boolean()), reason: text })),
  coach_said: maybe(text),
  overridden_because: texts,
  moved: z.record(text, maybe(z.enum(['forward', 'back']))),
  commit: maybe(text),
  cost_usd: maybe(z.number()),
  seconds: z.number(),
  cut_off: z.boolean(),
  before_reset: z.boolean(),
});

export const featureAnswerSchema = z.object({
  ...featureFields,
  description: text,
  evidence: texts,
  files: texts,
  notes: text,
  attempts: z.array(failureSchema),
  builds: z.array(
    z.object({
      id: text,
      branch: text,
      player: text,
      coach: text,
      max_turns: z.int(),
      /** Null while it runs, or if it was killed. */
      outcome: maybe(buildOutcome),
      why: text,
      cost_usd: maybe(z.number()),
    }),
  ),
  tasks: z.array(
    z.object({
      id: text,
      title: text,
      path: maybe(text),
      criteria: z.array(z.object({ id: text, text })),
      outcome: maybe(taskOutcomeSchema.shape.outcome),
      turns: z.array(
        turnSchema.extend({
          /** The Player's report. */
          claimed: maybe(
            z.object({
              decision: text,
              summary: text,
              files: texts,
              tests_passed: maybe(z.int()),
              tests_failed: maybe(z.int()),
            }),
          ),
          false_claims: texts,
          regressions: texts,
          /** The test, check or file that proves each verified criterion. */
          evidence: z.record(text, text),
          verification: maybe(text),
          refused: z.number(),
          restored: texts,
          parts,
          steps: z.array(z.object({ step: text, at: text })),
        }),
      ),
      explanation: maybe(explanationSchema),
    }),
  ),
});
export type FeatureAnswer = z.infer<typeof featureAnswerSchema>;
