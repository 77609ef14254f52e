import { isAuthorUnknown, type StoredTrace, type TraceSource } from '../../domain/entities/trace.ts';

/** What traces of a source may lead to: a guard, or advice only. Undefined if they prove nothing. */
export type TraceWeight = 'guard' | 'advice';

const BY_SOURCE: Record<TraceSource, TraceWeight | undefined> = {
  enforcement_hook: 'guard',
  user_correction: 'guard',
  auto_detected: 'guard',
  // Failing is part of the work, and a Coach is an agent too.
  gate: 'advice',
  coach: 'advice',
  // An agent that records its own traces could create any pattern.
  agent: undefined,
};

/** Traces below this confidence lead to advice only. */
const MIN_CONFIDENCE = 0.95;

type Weighed = Pick<StoredTrace, 'type' | 'source' | 'confidence' | 'label' | 'guard' | 'outcome'>;

/** Only mistakes of agents form patterns: not decisions, approvals or changes of unknown author. */
export function traceWeight(trace: Weighed): TraceWeight | undefined {
  const { type, source, confidence } = trace;
  if ((type !== 'violation' && type !== 'correction') || isAuthorUnknown(trace)) return undefined;
  const weight = BY_SOURCE[source];
  return weight === 'guard' && confidence < MIN_CONFIDENCE ? 'advice' : weight;
}

const MAX_WORD = 100;

/** The part of an attempt that must be equal: paths of edits vary, the program that is run does not. */
export function attemptedThing(attempted: string | null): string {
  const words = (attempted ?? 'said').split(' ').map((word) => word.slice(0, MAX_WORD));
  const [kind = 'said'] = words;
  return kind === 'read' || kind === 'edit' || kind === 'write' ? kind : words.slice(0, 3).join(' ');
}

/** Traces in different buckets never form one pattern. */
export function traceBucket(
  { type, guard, context, attempted, source }: StoredTrace,
  weight: TraceWeight,
): string {
  const by = source === 'gate' ? 'gate' : source === 'coach' ? 'coach' : '';
  return JSON.stringify([weight, type, by, guard, context.agent, attemptedThing(attempted)]);
}
