import { criterionWords, wordSimilarity } from '../../domain/criteria/criterion.ts';
import type { StoredTrace, Trace } from '../../domain/entities/trace.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { type GroupRow, type TraceGroups, withTraceGroups } from '../../store/ledger/tables/trace-groups.ts';
import { patternOfLearned } from './learned-guard-id.ts';
import { newTraceGroup, type TraceGroup, traceBucket, traceWeight, withTrace } from './trace-group.ts';

export interface PlacedTraces {
  /** Traces that had not been seen before. */
  read: number;
  /** Those of them that do not count. */
  leftOut: number;
  /** The groups with new traces. */
  touched: string[];
}

/** Adds traces to similar groups, each once, however often it is delivered. */
export function placeTraces(ledger: Ledger, project: string, traces: readonly StoredTrace[]): PlacedTraces {
  return withTraceGroups(ledger, project, (rows) => {
    const buckets = new Map<string, Map<string, TraceGroup>>();
    const bucketOf = (name: string) => {
      const open =
        buckets.get(name) ?? new Map(rows.inBucket(name).map((row) => [row.id, groupOf(row.body)]));
      buckets.set(name, open);
      return open;
    };
    const touched = new Map<string, string>();
    let read = 0;
    let leftOut = 0;
    for (const trace of traces) {
      if (!rows.see(trace.id)) continue;
      read += 1;
      const repeated = repeatedGroup(trace, rows);
      const placed = repeated
        ? placeIn(trace, bucketOf(repeated.bucket).get(repeated.id), repeated.bucket)
        : placeTrace(trace, (name) => [...bucketOf(name).values()]);
      if (!placed) {
        leftOut += 1;
        continue;
      }
      const open = bucketOf(placed.bucket);
      if (placed.dropped !== undefined) {
        open.delete(placed.dropped);
        touched.delete(placed.dropped);
        rows.drop(placed.dropped);
      }
      open.set(placed.group.id, placed.group);
      touched.set(placed.group.id, placed.bucket);
    }
    for (const [id, bucket] of touched)
      rows.put({ id, bucket, body: JSON.stringify(bucketOf(bucket).get(id)) });
    return { read, leftOut, touched: [...touched.keys()] };
  });
}

/** A refusal by a learned guard belongs to the pattern of that guard. */
function repeatedGroup({ guard }: StoredTrace, rows: TraceGroups): GroupRow | undefined {
  const id = guard === null ? undefined : patternOfLearned(guard);
  return id === undefined ? undefined : rows.find(id);
}

/** Only `placeTraces` writes them. */
export function groupOf(body: string): TraceGroup {
  return JSON.parse(body) as TraceGroup;
}

/** From this similarity on, two traces describe the same. */
export const ALIKE = 0.6;

/** The most groups per bucket; a flood of new ones replaces the rarest. */
const MAX_GROUPS = 60;

interface Placed {
  bucket: string;
  group: TraceGroup;
  /** The group that was replaced, if any. */
  dropped: string | undefined;
}

/**
 * Adds a trace to a similar group, or to a new one; undefined if it does not count. `groupsOf` returns the groups of a
 * bucket.
 */
export function placeTrace(
  trace: StoredTrace,
  groupsOf: (bucket: string) => readonly TraceGroup[],
): Placed | undefined {
  const weight = traceWeight(trace);
  if (weight === undefined || isLearned(trace)) return undefined;
  const bucket = traceBucket(trace, weight);
  const words = traceWords(trace);
  const groups = groupsOf(bucket);
  const near = nearest(groups, words);
  if (near) return { bucket, group: withTrace(near, trace), dropped: undefined };
  const group = withTrace(newTraceGroup(trace, { bucket, words, weight }), trace);
  return { bucket, group, dropped: groups.length < MAX_GROUPS ? undefined : rarestGroup(groups) };
}

/** A learned guard whose pattern is unknown here: a guard made from its refusals would refuse nothing new. */
function isLearned({ guard }: StoredTrace): boolean {
  return guard !== null && patternOfLearned(guard) !== undefined;
}

/** Adds a trace to its known group; undefined if it does not count or there is no group. */
function placeIn(trace: StoredTrace, group: TraceGroup | undefined, bucket: string): Placed | undefined {
  if (!group || traceWeight(trace) === undefined) return undefined;
  return { bucket, group: withTrace(group, trace), dropped: undefined };
}

/** The most similar group; ties go to the smaller id, so that the order of reading does not matter. */
function nearest(groups: readonly TraceGroup[], words: readonly string[]): TraceGroup | undefined {
  const own = new Set(words);
  let found: TraceGroup | undefined;
  let best = 0;
  for (const group of groups) {
    const alike = own.size === 0 && group.words.length === 0 ? 1 : wordSimilarity(new Set(group.words), own);
    if (alike < ALIKE || alike < best || (alike === best && found && found.id < group.id)) continue;
    found = group;
    best = alike;
  }
  return found;
}

function rarestGroup(groups: readonly TraceGroup[]): string | undefined {
  const [first] = [...groups].sort(
    (a, b) => a.count - b.count || a.lastAt.localeCompare(b.lastAt) || a.id.localeCompare(b.id),
  );
  return first?.id;
}

const MAX_CHARACTERS = 4000;
const MAX_TOKENS = 300;

/** Whether a token changes from case to case: ids, paths, numbers, names with a suffix. */
function varies(token: string): boolean {
  if (/[0-9/\\_]/.test(token)) return true;
  if (token.includes('.') && !token.endsWith('.')) return true;
  return token.includes('-') && token === token.toUpperCase();
}

/** The words for comparing traces, without tokens that change from case to case. */
function traceWords({ event, source }: Pick<Trace, 'event' | 'source'>): string[] {
  // For a person's correction compare what would have been correct; the agent's action may be anything.
  const compared =
    source === 'user_correction' && event.what_was_correct !== ''
      ? event.what_was_correct
      : `${event.what_happened} ${event.what_was_correct}`;
  const kept = compared
    .slice(0, MAX_CHARACTERS)
    .split(/\s+/)
    .slice(0, MAX_TOKENS)
    .filter((token) => token !== '' && !varies(token));
  return [...criterionWords(kept.join(' '))].sort();
}
