import { isAuthorUnknown } from '../../../domain/entities/trace.ts';
import type { FoundTrace } from '../../../learning/traces/query-traces.ts';

/** What a trace is, in a line, without what happened. */
export function traceHead(trace: FoundTrace): string {
  const { id, timestamp, type, outcome, context, guard, score } = trace;
  const where = [context.feature, context.task].filter((one) => one !== null).join('/');
  return [
    score === undefined ? '' : `[${score.toFixed(2)}] `,
    `${timestamp.slice(0, 16).replace('T', ' ')} ${type} ${outcome.replace('_', ' ')}`,
    guard === null ? '' : ` ${guard}`,
    isAuthorUnknown(trace) ? ` while ${context.agent} ran [author unknown]` : ` by ${context.agent}`,
    where === '' ? '' : ` in ${where}`,
    `  ${id}`,
  ].join('');
}
