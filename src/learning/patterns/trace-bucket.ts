import type { StoredTrace } from '../../domain/entities/trace.ts';
import type { TraceWeight } from './trace-weight.ts';

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
