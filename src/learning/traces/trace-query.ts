import type { TraceSource, TraceType } from '../../domain/trace.ts';
import type { Filter } from '../../store/episode-store.ts';

/** Which traces are wanted; what is left out does not matter. */
export interface TraceQuery {
  /** Words to find them by; left out, the newest come first. */
  text?: string | undefined;
  type?: TraceType | undefined;
  source?: TraceSource | undefined;
  guard?: string | undefined;
  /** In the words of `attempt`. */
  attempt?: string | undefined;
  agent?: string | undefined;
  feature?: string | undefined;
  task?: string | undefined;
  session?: string | undefined;
  /** Not older than this time. */
  since?: string | undefined;
  /** 10 unless said. */
  limit?: number | undefined;
}

const FIELDS = ['type', 'source', 'guard', 'attempt', 'agent', 'feature', 'task', 'session'] as const;

/** The question without its words, as the store asks it. */
export function traceFilters(query: TraceQuery): Filter[] {
  const filters: Filter[] = FIELDS.flatMap((field) => {
    const value = query[field];
    return value === undefined ? [] : [{ field, op: 'eq', value }];
  });
  return query.since === undefined
    ? filters
    : [...filters, { field: 'valid_at', op: 'gte', value: query.since }];
}
