import * as z from 'zod';
import { jsonObjectSchema } from '../json/json.ts';
import { GUARD_MODES } from '../protection/guard-mode.ts';
import { timestampSchema } from '../timestamp.ts';
import { defineEntity } from './entity-type.ts';

const judgedActionSchema = z.strictObject({
  at: timestampSchema,
  session: z.string(),
  feature: z.string().nullable(),
  summary: z.string(),
});

/** What a guard would have said of everything that was recorded. */
export const backtestSchema = z.strictObject({
  at: timestampSchema,
  /** Actions it was tried on. */
  actions: z.int().min(0),
  /** How often it would have objected. */
  fired: z.int().min(0),
  /** Of those: what was refused, put back or corrected anyway. */
  violations: z.int().min(0),
  /** Of those: work that was later approved, or that a person let pass. */
  approved: z.int().min(0),
  /** Of those: nobody has said yet. */
  unknown: z.int().min(0),
  /** The approved ones, so far that a person can judge: the guard would have been wrong. */
  false_blocks: z.array(judgedActionSchema).max(20),
});

export type Backtest = z.infer<typeof backtestSchema>;

/** A guard that was made of a pattern. */
export const learnedGuardSchema = z.strictObject({
  guard_id: z.string().min(1),
  /** As a project's guard file would say it; parsed by that schema before it is kept. */
  definition: jsonObjectSchema,
  /** How it acts now; `off` for one that is retired. */
  mode: z.enum(GUARD_MODES),
  pattern_id: z.string().min(1),
  /** The project it was made in. */
  origin: z.string().min(1),
  backtest: backtestSchema,
  proposed_at: timestampSchema,
  /** Since when it acts as it does. */
  mode_since: timestampSchema,
});

export type LearnedGuard = z.infer<typeof learnedGuardSchema>;

export const learnedGuard = defineEntity<LearnedGuard>({
  type: 'guard',
  groups: ['guards'],
  schema: learnedGuardSchema,
  id: (body) => body.guard_id,
  name: (body) => String(body.definition.summary ?? body.guard_id),
  text: (body) =>
    [
      `guard ${body.guard_id} (${body.mode}): ${String(body.definition.summary ?? '')}`,
      `made of ${body.pattern_id} in ${body.origin}`,
      `backtest: fired ${body.backtest.fired} of ${body.backtest.actions}, violations ${body.backtest.violations}, approved ${body.backtest.approved}`,
    ].join('\n'),
  indexed: ['mode', 'pattern_id'],
  freeText: [],
  relations: (body) => [{ relation: 'learned_from', to: body.pattern_id }],
});
