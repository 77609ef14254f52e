import * as z from 'zod';
import { defineEntity } from './entity-type.ts';
import { turnStateId, workIdSchema } from './work-id.ts';

export const TRACE_TYPES = ['correction', 'violation', 'decision', 'approval'] as const;

/**
 * The origin of a trace, which decides how far it is trusted: GuardKit (`enforcement_hook`, `gate`, `auto_detected`),
 * a person (`user_correction`), a Coach, or an agent's claim, which proves nothing.
 */
export const TRACE_SOURCES = [
  'enforcement_hook',
  'user_correction',
  'auto_detected',
  'gate',
  'coach',
  'agent',
] as const;

export const TRACE_OUTCOMES = [
  'denied',
  'asked',
  'warned',
  'restored',
  'not_restored',
  'failed',
  'absent',
  'approved',
  'feedback',
  'rejected',
  'escalated',
  'waived',
  'noticed',
  'told',
] as const;

/** Labels of traces that do not count: they are kept and shown, but nothing is learned from them. */
export const TRACE_LABELS = ['author-unknown'] as const;

export type TraceType = (typeof TRACE_TYPES)[number];
export type TraceSource = (typeof TRACE_SOURCES)[number];
export type TraceOutcome = (typeof TRACE_OUTCOMES)[number];

/** Longer texts are truncated before they are stored: a trace is a list entry, not a log. */
export const MAX_TRACE_TEXT = 2000;

const text = z.string().max(MAX_TRACE_TEXT);
const name = z.string().min(1).max(300);

export const traceContextSchema = z.strictObject({
  /** The agent type without a plugin prefix: `coding`, `player`, or `main` for the one that talks to a person. */
  agent: name.default('main'),
  /** The coding agent's program. */
  program: name.nullable().default(null),
  feature: workIdSchema.nullable().default(null),
  task: workIdSchema.nullable().default(null),
  session: name.nullable().default(null),
  turn: z.int().min(1).nullable().default(null),
});

export type TraceContext = z.infer<typeof traceContextSchema>;

export const traceEventSchema = z.strictObject({
  what_happened: text.min(1),
  what_was_correct: text.default(''),
  why: text.default(''),
});

/** One violation, correction, decision or approval. Its id, project and time are those of its episode. */
export const traceSchema = z.strictObject({
  type: z.enum(TRACE_TYPES),
  source: z.enum(TRACE_SOURCES),
  outcome: z.enum(TRACE_OUTCOMES),
  context: traceContextSchema,
  event: traceEventSchema,
  /** The guard or gate that found it. */
  guard: name.nullable().default(null),
  /** The attempted action in normalised form: `edit src/a.ts`, `command git push`. */
  attempted: name.nullable().default(null),
  /** The agent's id of the action; with the session it identifies the kept action. */
  action: name.nullable().default(null),
  /** Below 1 only for corrections detected in prompts. */
  confidence: z.number().min(0).max(1).default(1),
  /** The quotes behind a detected correction: the person's, then the agent's. */
  quotes: z.array(text).max(2).default([]),
  label: z.enum(TRACE_LABELS).nullable().default(null),
});

export type Trace = z.infer<typeof traceSchema>;

/** The guard for violations found afterwards, when the agent's write could not be told from the person's. */
export const FOUND_AFTERWARDS = 'protected-set';

/** Such a trace is not learned from, counted or shown to agents. Older stores have it without the label. */
export function isAuthorUnknown({
  label,
  guard,
  outcome,
}: Pick<Trace, 'label' | 'guard' | 'outcome'>): boolean {
  const afterwards = outcome === 'restored' || outcome === 'not_restored';
  return label === 'author-unknown' || (guard === FOUND_AFTERWARDS && afterwards);
}

/** A stored trace: its body with the id, project and time of its episode. */
export interface StoredTrace extends Trace {
  id: string;
  project: string;
  timestamp: string;
}

export const trace = defineEntity<Trace>({
  type: 'trace',
  groups: ['traces'],
  schema: traceSchema,
  name: ({ type, context, event }) => `${type} by ${context.agent}: ${event.what_happened.slice(0, 120)}`,
  text: traceText,
  indexed: ['guard', 'attempted', 'action', 'outcome', 'type'],
  indexedWithin: { context: ['task', 'feature', 'session', 'agent', 'turn'] },
  freeText: ['event', 'quotes', 'attempted'],
  renamed: { attempt: 'attempted' },
  relations: ({ context, guard, source }) => [
    ...(context.feature === null ? [] : [{ relation: 'trace_of', to: context.feature }]),
    ...(context.task === null ? [] : [{ relation: 'trace_of', to: context.task }]),
    ...(context.feature === null || context.task === null || context.turn === null
      ? []
      : [{ relation: 'trace_of', to: turnStateId(context.feature, context.task, context.turn) }]),
    ...(context.session === null ? [] : [{ relation: 'in_session', to: sessionId(context.session) }]),
    ...(guard === null
      ? []
      : [{ relation: 'against', to: `${source === 'gate' ? 'GATE' : 'GUARD'}-${guard}` }]),
  ],
});

/** The target of a relation must be a valid id. */
function sessionId(session: string): string {
  return `SESSION-${session.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 200)}`;
}

function traceText(body: Trace): string {
  const { context, event } = body;
  return [
    `trace ${body.type} ${body.outcome} ${context.agent}${body.guard ? ` ${body.guard}` : ''}: ${event.what_happened}`,
    ...(event.what_was_correct === '' ? [] : [`what_was_correct: ${event.what_was_correct}`]),
    ...(event.why === '' ? [] : [`why: ${event.why}`]),
    [context.feature, context.task, body.attempted].filter((one) => one !== null).join(' '),
    ...body.quotes,
  ]
    .filter((line) => line !== '')
    .join('\n');
}
