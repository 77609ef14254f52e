import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { defineEntity } from './entity-type.ts';
import { TRACE_TYPES } from './trace.ts';

export const PATTERN_TRENDS = ['new', 'rising', 'steady', 'falling'] as const;

/** Possible responses: enforce an existing guard more strictly, tell agents, or create a guard. */
export const SUGGESTIONS = ['stronger_enforcement', 'prompt_line', 'new_guard'] as const;

const exampleSchema = z.strictObject({
  trace: z.string().min(1),
  at: timestampSchema,
  feature: z.string().nullable(),
  session: z.string().nullable(),
  what_happened: z.string(),
});

/** A recurring event, found in several traces. */
export const patternSchema = z.strictObject({
  pattern_id: z.string().min(1),
  /** One sentence. */
  what: z.string().min(1),
  /** The type of its traces. */
  type: z.enum(TRACE_TYPES),
  /** The agent type; `main` for the one that talks to a person. */
  agent: z.string().min(1),
  guard: z.string().nullable(),
  /** The attempted action, in the form by which traces are grouped. */
  attempted: z.string().min(1),
  count: z.int().min(1),
  features: z.array(z.string()),
  sessions: z.int().min(0),
  first_at: timestampSchema,
  last_at: timestampSchema,
  trend: z.enum(PATTERN_TRENDS),
  /** Traces in the seven days up to the last one, and in the seven days before. */
  recent: z.int().min(0),
  before: z.int().min(0),
  examples: z.array(exampleSchema).max(3),
  /** The correct behavior, according to the traces. */
  correct: z.array(z.string()).max(3),
  /** Distinct attempts, from which a guard is generated. */
  attempts: z.array(z.string()).max(20),
  /** The kept actions of its latest traces. */
  actions: z.array(z.strictObject({ session: z.string(), action: z.string() })).max(20),
  suggests: z.array(z.strictObject({ what: z.enum(SUGGESTIONS), why: z.string().min(1) })),
  /** Why these traces are one pattern, and why it counts. */
  because: z.string().min(1),
  /** `guard`: its traces may become a guard; `advice`: they are only an agent's judgement. */
  weight: z.enum(['guard', 'advice']),
  /** The source project, if shared with all projects. */
  origin: z.string().nullable().default(null),
});

export type Pattern = z.infer<typeof patternSchema>;

export const pattern = defineEntity<Pattern>({
  type: 'pattern',
  groups: ['patterns'],
  schema: patternSchema,
  id: (body) => body.pattern_id,
  name: (body) => body.what,
  text: (body) =>
    [
      `pattern ${body.pattern_id}: ${body.what}`,
      `${body.type} by ${body.agent}${body.guard === null ? '' : ` against ${body.guard}`}: ${body.attempted}, ${body.count} times in ${body.features.join(' ')}`,
      ...body.correct,
      ...body.examples.map(({ what_happened }) => what_happened),
    ].join('\n'),
  indexed: ['guard', 'agent', 'type'],
  // Derived from traces, which are scrubbed before they are stored.
  freeText: [],
  relations: (body) => [
    ...body.examples.map(({ trace }) => ({ relation: 'seen_in', to: trace })),
    ...(body.guard === null ? [] : [{ relation: 'against', to: `GUARD-${body.guard}` }]),
  ],
});
