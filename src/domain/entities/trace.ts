import * as z from 'zod';
import { defineEntity } from './entity-type.ts';
import { turnStateId, workIdSchema } from './work-id.ts';

export const TRACE_TYPES = ['correction', 'violation', 'decision', 'approval'] as const;

/**
 * Where a trace comes from, which is what it is trusted by: GuardKit itself (`enforcement_hook`, `gate`, `auto_detected`),
 * a person (`user_correction`), a Coach, or an agent's own word, which proves nothing.
 */
export const TRACE_SOURCES = [
  'enforcement_hook',
  'user_correction',
  'auto_detected',
  'gate',
  'coach',
  'agent',
] as const;

/** What became of it. */
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

/** Marks on a trace that no longer counts; it is kept and shown, and nothing is learned from it. */
export const TRACE_LABELS = ['author-unknown'] as const;

export type TraceType = (typeof TRACE_TYPES)[number];
export type TraceSource = (typeof TRACE_SOURCES)[number];
export type TraceOutcome = (typeof TRACE_OUTCOMES)[number];

/** Longer texts are cut before they are stored: a trace is a line in a list, not a log. */
export const MAX_TRACE_TEXT = 2000;

const text = z.string().max(MAX_TRACE_TEXT);
const name = z.string().min(1).max(300);

export const traceContextSchema = z.strictObject({
  /** The kind of the agent, without a plugin's name: `coding`, `player`, or `main` for the one that talks to a person. */
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
  /** The guard, or the gate for what a gate found. */
  guard: name.nullable().default(null),
  /** What was attempted, in the same words whenever it is the same: `edit src/a.ts`, `command git push`. */
  attempted: name.nullable().default(null),
  /** The agent's own id of the action; with the session it names the kept action. */
  action: name.nullable().default(null),
  /** How sure it is that this happened; less than 1 only for what was noticed rather than seen. */
  confidence: z.number().min(0).max(1).default(1),
  /** The words that a noticed correction rests on: the person's, then the agent's. */
  quotes: z.array(text).max(2).default([]),
  label: z.enum(TRACE_LABELS).nullable().default(null),
});

export type Trace = z.infer<typeof traceSchema>;

/** The guard whose violations were found after the fact, when nobody could tell the agent's write from the person's. */
export const FOUND_AFTERWARDS = 'protected-set';

/** Nothing is learned, counted or told to agents from such a trace. Stores of earlier versions have it without the label. */
export function isAuthorUnknown({
  label,
  guard,
  outcome,
}: Pick<Trace, 'label' | 'guard' | 'outcome'>): boolean {
  const afterwards = outcome === 'restored' || outcome === 'not_restored';
  return label === 'author-unknown' || (guard === FOUND_AFTERWARDS && afterwards);
}

/** A trace as it is read: what its episode says of it beside its body. */
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

/** The end of a relation may only have letters that ids have. */
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
