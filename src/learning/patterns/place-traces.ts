import { criterionWords, wordSimilarity } from '../../domain/criteria/criterion.ts';
import type { StoredTrace, Trace } from '../../domain/entities/trace.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { type GroupRow, type TraceGroups, withTraceGroups } from '../../store/ledger/tables/trace-groups.ts';
import { patternOfLearned } from './learned-guard-id.ts';
import { newTraceGroup, type TraceGroup, withTrace } from './trace-group.ts';
import { traceBucket, traceWeight } from './trace-weight.ts';

export interface PlacedTraces {
  /** Those that had not been seen before. */
  read: number;
  /** Of those: what counts for nothing. */
  leftOut: number;
  /** The groups that have more to them than before. */
  touched: string[];
}

/** Puts traces to those they are like, each once, however often it comes. */
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

/** What a learned guard refuses is what its pattern is about, and no pattern of its own. */
function repeatedGroup({ guard }: StoredTrace, rows: TraceGroups): GroupRow | undefined {
  const id = guard === null ? undefined : patternOfLearned(guard);
  return id === undefined ? undefined : rows.find(id);
}

/** Only `placeTraces` writes them. */
export function groupOf(body: string): TraceGroup {
  return JSON.parse(body) as TraceGroup;
}

/** Above this two traces tell the same in other words. */
export const ALIKE = 0.6;

/** So many different things are kept apart in one bucket; a flood of them pushes out those that happened least. */
const MAX_GROUPS = 60;

interface Placed {
  bucket: string;
  group: TraceGroup;
  /** What had to make room for it. */
  dropped: string | undefined;
}

/** Puts a trace to those it is like; undefined where it counts for nothing. `groupsOf` gives the groups of a bucket. */
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
  return { bucket, group, dropped: groups.length < MAX_GROUPS ? undefined : leastTold(groups) };
}

/** Of a guard whose pattern is not known here; a guard made of its refusals would refuse nothing else. */
function isLearned({ guard }: StoredTrace): boolean {
  return guard !== null && patternOfLearned(guard) !== undefined;
}

/** Puts a trace to a group that it is known to belong to; undefined where it counts for nothing, or there is none. */
function placeIn(trace: StoredTrace, group: TraceGroup | undefined, bucket: string): Placed | undefined {
  if (!group || traceWeight(trace) === undefined) return undefined;
  return { bucket, group: withTrace(group, trace), dropped: undefined };
}

/** The most alike, and of several the one with the smaller id, so that the order of reading makes no difference. */
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

function leastTold(groups: readonly TraceGroup[]): string | undefined {
  const [first] = [...groups].sort(
    (a, b) => a.count - b.count || a.lastAt.localeCompare(b.lastAt) || a.id.localeCompare(b.id),
  );
  return first?.id;
}

const MAX_CHARACTERS = 4000;
const MAX_TOKENS = 300;

/** What stands in one trace and not in the next of the same kind: ids, paths, numbers, names with a suffix. */
function varies(token: string): boolean {
  if (/[0-9/\\_]/.test(token)) return true;
  if (token.includes('.') && !token.endsWith('.')) return true;
  return token.includes('-') && token === token.toUpperCase();
}

/** The words by which traces are alike, without what differs from case to case. */
function traceWords({ event, source }: Pick<Trace, 'event' | 'source'>): string[] {
  // A person's correction says what should have been; what the agent had done may be anything.
  const said =
    source === 'user_correction' && event.what_was_correct !== ''
      ? event.what_was_correct
      : `${event.what_happened} ${event.what_was_correct}`;
  const kept = said
    .slice(0, MAX_CHARACTERS)
    .split(/\s+/)
    .slice(0, MAX_TOKENS)
    .filter((token) => token !== '' && !varies(token));
  return [...criterionWords(kept.join(' '))].sort();
}
