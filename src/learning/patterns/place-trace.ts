import { criterionWords, wordSimilarity } from '../../domain/criteria/criterion-similarity.ts';
import type { StoredTrace, Trace } from '../../domain/entities/trace.ts';
import { patternOfLearned } from './learned-guard-id.ts';
import { traceBucket } from './trace-bucket.ts';
import { newTraceGroup, type TraceGroup, withTrace } from './trace-group.ts';
import { traceWeight } from './trace-weight.ts';

/** Above this two traces tell the same in other words. */
export const ALIKE = 0.6;

/** So many different things are kept apart in one bucket; a flood of them pushes out those that happened least. */
const MAX_GROUPS = 60;

export interface Placed {
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
export function placeIn(
  trace: StoredTrace,
  group: TraceGroup | undefined,
  bucket: string,
): Placed | undefined {
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
