import { type Fits, isListOf, isNumber, isShape } from '../../domain/json/plain-shape.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';

/** When an agent's action ran, in milliseconds since 1970. */
export interface WorkSpan {
  begin: number;
  end: number;
}

const isSpans: Fits<WorkSpan[]> = isListOf(isShape({ begin: isNumber, end: isNumber }));
const MAX_SPANS = 200;
/** Shorter pauses between actions do not matter. */
const PAUSE_MS = 1000;

/** Remembers when an action ran programs, for what is looked at only later. */
export function noteWork(context: WatchContext, span: WorkSpan): void {
  const spans = notedWork(context);
  const last = spans.at(-1);
  const joins = last !== undefined && (span.begin <= last.end + PAUSE_MS || spans.length >= MAX_SPANS);
  const joined = joins
    ? { begin: Math.min(last.begin, span.begin), end: Math.max(last.end, span.end) }
    : span;
  keep(context, [...(joins ? spans.slice(0, -1) : spans), joined]);
}

export function notedWork(context: WatchContext): readonly WorkSpan[] {
  const spans = findLastCached(context.ledger, workKey(context))?.body;
  return isSpans(spans) ? spans : [];
}

/** Forgets what had ended at a time. */
export function forgetWork(context: WatchContext, time: number): void {
  const spans = notedWork(context);
  if (spans.some(({ end }) => end < time))
    keep(
      context,
      spans.filter(({ end }) => end >= time),
    );
}

function keep(context: WatchContext, spans: readonly WorkSpan[]): void {
  cacheRead(context.ledger, workKey(context), '', spans);
}

function workKey(context: WatchContext): string {
  return `work in ${repositoryFolder(context)}`;
}
