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
