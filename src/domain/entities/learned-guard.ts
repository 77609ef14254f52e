import * as z from 'zod';
import { jsonObjectSchema } from '../json/json-schema.ts';
import { GUARD_MODES } from '../protection/guard-mode.ts';
import { timestampSchema } from '../timestamp.ts';
import { defineEntity } from './entity-type.ts';

const judgedActionSchema = z.strictObject({
  at: timestampSchema,
  session: z.string(),
  feature: z.string().nullable(),
  summary: z.string(),
});

/** A guard's findings on all recorded actions. */
export const backtestSchema = z.strictObject({
  at: timestampSchema,
  /** Actions tested. */
  actions: z.int().min(0),
  /** Actions it would have refused. */
  fired: z.int().min(0),
  /** Of those: refused, restored or corrected anyway. */
  violations: z.int().min(0),
  /** Of those: later approved, or allowed by a person. */
  approved: z.int().min(0),
  /** Of those: outcome not known yet. */
  unknown: z.int().min(0),
  /** Approved actions that the guard would have refused wrongly, for a person to review. */
  false_blocks: z.array(judgedActionSchema).max(20),
});

export type Backtest = z.infer<typeof backtestSchema>;

/** A guard generated from a pattern. */
export const learnedGuardSchema = z.strictObject({
  guard_id: z.string().min(1),
  /** In the format of a guard file; parsed by that schema before it is stored. */
  definition: jsonObjectSchema,
  /** The current mode; `off` if retired. */
  mode: z.enum(GUARD_MODES),
  pattern_id: z.string().min(1),
  /** The project that it was learned in. */
  origin: z.string().min(1),
  backtest: backtestSchema,
  proposed_at: timestampSchema,
  /** When the current mode was set. */
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
