import type { Episode } from '../../domain/entities/episode.ts';
import type { TraceOutcome, TraceSource, TraceType } from '../../domain/entities/trace.ts';
import { isObject } from '../../domain/json/is-object.ts';
import type { Filter } from '../../store/episode-store.ts';

/** Which traces are wanted; what is left out does not matter. */
export interface TraceQuery {
  /** Words to find them by; left out, the newest come first. */
  text?: string | undefined;
  type?: TraceType | undefined;
  source?: TraceSource | undefined;
  outcome?: TraceOutcome | undefined;
  guard?: string | undefined;
  /** In the words of `attempted`. */
  attempted?: string | undefined;
  agent?: string | undefined;
  feature?: string | undefined;
  task?: string | undefined;
  session?: string | undefined;
  /** Not older than this time. */
  since?: string | undefined;
  /** 10 unless said. */
  limit?: number | undefined;
}

const OWN = ['type', 'source', 'outcome', 'guard', 'attempted'] as const;
const CONTEXT = ['agent', 'feature', 'task', 'session'] as const;

/** What few traces have in common. */
const NARROW = ['attempted', 'feature', 'task', 'session'] as const;

/** Few traces can fit, so that the index leads to them at once. */
export function isNarrow(query: TraceQuery): boolean {
  return query.outcome === 'noticed' || NARROW.some((field) => query[field] !== undefined);
}

/** The question without its words, as the store asks it. */
export function traceFilters(query: TraceQuery): Filter[] {
  const filters: Filter[] = [...OWN, ...CONTEXT].flatMap((field) => {
    const value = query[field];
    return value === undefined ? [] : [{ field, op: 'eq', value }];
  });
  return query.since === undefined
    ? filters
    : [...filters, { field: 'valid_at', op: 'gte', value: query.since }];
}

/** The same question of a trace that is at hand. */
export function fitsQuery({ body, valid_at }: Episode, query: TraceQuery): boolean {
  if (query.since !== undefined && valid_at < query.since) return false;
  const { context } = body;
  const around = isObject(context) ? context : {};
  return (
    OWN.every((field) => query[field] === undefined || body[field] === query[field]) &&
    CONTEXT.every((field) => query[field] === undefined || around[field] === query[field])
  );
}
