import * as z from 'zod';
import { backtestSchema } from '../../../domain/entities/learned-guard.ts';

const text = z.string();

/** What became of an action that a guard objected to. */
export const GUARD_OUTCOMES = [
  'refused',
  'asked',
  'warned',
  'watched',
  'waived',
  'restored',
  'found',
] as const;

const guardFields = {
  id: text,
  summary: text,
  origin: text,
  mode: text,
  kinds: z.array(text),
  file: text.nullable(),
  pattern: text.nullable(),
};

/** As in `guardkit guard list --json`. */
export const guardListSchema = z.object({ guards: z.array(z.object(guardFields)) });
export type ListedGuard = z.infer<typeof guardListSchema>['guards'][number];

export const guardsSchema = z.object({
  since: text,
  guards: z.array(
    z.object({
      ...guardFields,
      counts: z.record(z.enum(GUARD_OUTCOMES), z.int()),
      /** Objections that a person waived, or whose work was approved later. */
      wrong: z.int(),
      /** Share of wrong objections; null without objections. */
      false_block_rate: z.number().nullable(),
      last_at: text.nullable(),
    }),
  ),
  /** The newest first. */
  events: z.array(
    z.object({
      number: z.int(),
      at: text,
      outcome: z.enum(GUARD_OUTCOMES),
      guard: text,
      agent: text,
      text,
      reason: text,
      feature: text.nullable(),
    }),
  ),
  /** Whether older events were left out. */
  more: z.boolean(),
});
export type GuardsAnswer = z.infer<typeof guardsSchema>;
export type GuardEvent = GuardsAnswer['events'][number];

/** As in `guardkit guard show --json`. */
export const guardShowSchema = z.object({
  ...guardFields,
  sessions: text,
  expires: text.nullable(),
  expired: z.boolean(),
  stale: z.boolean(),
  definition: z.record(text, z.unknown()).nullable(),
  waivers: z.array(z.object({ id: text, until: text, reason: text, by: text })),
  backtest: backtestSchema.nullable(),
});

export const guardSchema = guardShowSchema.omit({ definition: true }).extend({
  /** Its definition as YAML; null for a built-in guard. */
  source: text.nullable(),
});
export type GuardAnswer = z.infer<typeof guardSchema>;
