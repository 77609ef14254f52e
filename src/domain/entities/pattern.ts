import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { defineEntity } from './entity-type.ts';
import { TRACE_TYPES } from './trace.ts';

export const PATTERN_TRENDS = ['new', 'rising', 'steady', 'falling'] as const;

/** What could be done about it: hold an existing guard harder, tell agents, or make a guard. */
export const SUGGESTIONS = ['stronger_enforcement', 'prompt_line', 'new_guard'] as const;

const exampleSchema = z.strictObject({
  trace: z.string().min(1),
  at: timestampSchema,
  feature: z.string().nullable(),
  session: z.string().nullable(),
  what_happened: z.string(),
});

/** What several traces have in common. */
export const patternSchema = z.strictObject({
  pattern_id: z.string().min(1),
  /** In a sentence. */
  what: z.string().min(1),
  /** Of the traces. */
  type: z.enum(TRACE_TYPES),
  /** Who: the kind of the agent, `main` for the one that talks to a person. */
  agent: z.string().min(1),
  guard: z.string().nullable(),
  /** What was attempted, in the words by which traces are grouped. */
  attempted: z.string().min(1),
  count: z.int().min(1),
  features: z.array(z.string()),
  sessions: z.int().min(0),
  first_at: timestampSchema,
  last_at: timestampSchema,
  trend: z.enum(PATTERN_TRENDS),
  /** In the seven days up to the last one, and in the seven before. */
  recent: z.int().min(0),
  before: z.int().min(0),
  examples: z.array(exampleSchema).max(3),
  /** What would have been correct, as the traces say. */
  correct: z.array(z.string()).max(3),
  /** Different attempts: what a guard is made of. */
  attempts: z.array(z.string()).max(20),
  /** The kept actions that the last of its traces tell of. */
  actions: z.array(z.strictObject({ session: z.string(), action: z.string() })).max(20),
  suggests: z.array(z.strictObject({ what: z.enum(SUGGESTIONS), why: z.string().min(1) })),
  /** Why these traces are one pattern, and why it counts. */
  because: z.string().min(1),
  /** Whose traces may make a guard; advice only where they are an agent's judgement. */
  weight: z.enum(['guard', 'advice']),
  /** The project it was found in, where it is shared with all. */
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
  // Made of traces alone, which were scrubbed before they were stored.
  freeText: [],
  relations: (body) => [
    ...body.examples.map(({ trace }) => ({ relation: 'seen_in', to: trace })),
    ...(body.guard === null ? [] : [{ relation: 'against', to: `GUARD-${body.guard}` }]),
  ],
});
