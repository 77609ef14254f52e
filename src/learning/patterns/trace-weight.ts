import { isAuthorUnknown, type StoredTrace, type TraceSource } from '../../domain/entities/trace.ts';

/** What traces of a source may lead to: a guard, or advice only; undefined for what proves nothing. */
export type TraceWeight = 'guard' | 'advice';

const BY_SOURCE: Record<TraceSource, TraceWeight | undefined> = {
  enforcement_hook: 'guard',
  user_correction: 'guard',
  auto_detected: 'guard',
  // Failing is a part of work, and a Coach is an agent too.
  gate: 'advice',
  coach: 'advice',
  // Whoever writes its own traces could write itself any pattern.
  agent: undefined,
};

/** What is less sure than this may be told, and refuses nobody anything. */
const SURE = 0.95;

type Weighed = Pick<StoredTrace, 'type' | 'source' | 'confidence' | 'label' | 'guard' | 'outcome'>;

/** Only mistakes of agents make a pattern: a decision, an approval or a change of unknown author does not. */
export function traceWeight(trace: Weighed): TraceWeight | undefined {
  const { type, source, confidence } = trace;
  if ((type !== 'violation' && type !== 'correction') || isAuthorUnknown(trace)) return undefined;
  const weight = BY_SOURCE[source];
  return weight === 'guard' && confidence < SURE ? 'advice' : weight;
}

const MAX_WORD = 100;

/** What of what is attempted has to be the same: the paths of edits differ, the program that is run does not. */
export function attemptedThing(attempted: string | null): string {
  const words = (attempted ?? 'said').split(' ').map((word) => word.slice(0, MAX_WORD));
  const [kind = 'said'] = words;
  return kind === 'read' || kind === 'edit' || kind === 'write' ? kind : words.slice(0, 3).join(' ');
}

/** Traces that do not agree in this are never one pattern. */
export function traceBucket(
  { type, guard, context, attempted, source }: StoredTrace,
  weight: TraceWeight,
): string {
  const by = source === 'gate' ? 'gate' : source === 'coach' ? 'coach' : '';
  return JSON.stringify([weight, type, by, guard, context.agent, attemptedThing(attempted)]);
}
