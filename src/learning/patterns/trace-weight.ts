import type { StoredTrace, TraceSource } from '../../domain/trace.ts';

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

/** Only what went wrong makes a pattern: a decision or an approval is no mistake. */
export function traceWeight({
  type,
  source,
  confidence,
}: Pick<StoredTrace, 'type' | 'source' | 'confidence'>): TraceWeight | undefined {
  if (type !== 'violation' && type !== 'correction') return undefined;
  const weight = BY_SOURCE[source];
  return weight === 'guard' && confidence < SURE ? 'advice' : weight;
}
