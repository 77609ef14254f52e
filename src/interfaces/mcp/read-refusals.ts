import { oneLine } from '../../domain/clean-text.ts';
import { recalledMark } from '../../domain/recalled.ts';
import { type FoundTrace, queryTraces } from '../../learning/traces/query-traces.ts';
import type { McpContext } from './mcp-context.ts';
import { openLearning } from './open-learning.ts';

const SHOWN = 5;
const REFUSED: readonly string[] = ['denied', 'asked', 'restored', 'not_restored'];

/** What guards refused or put back, each as a few lines; the last ones, unless words say which. */
export async function readRefusals(context: McpContext, words: string): Promise<string[]> {
  const { store, project } = await openLearning(context);
  const traces = await queryTraces(store, project, {
    type: 'violation',
    source: 'enforcement_hook',
    text: words,
    limit: 10 * SHOWN,
  });
  return traces
    .filter(({ outcome }) => REFUSED.includes(outcome))
    .slice(0, SHOWN)
    .map(describe);
}

function describe({ id, timestamp, outcome, guard, context, event }: FoundTrace): string {
  return [
    oneLine(
      `${recalledMark(id)} ${timestamp}: ${outcome.replace('_', ' ')} by ${guard ?? 'GuardKit'}, ${context.agent}`,
      300,
    ),
    oneLine(`  tried: ${event.what_happened}`, 500),
    ...(event.why === '' ? [] : [oneLine(`  why: ${event.why}`, 800)]),
    ...(event.what_was_correct === '' ? [] : [oneLine(`  instead: ${event.what_was_correct}`, 800)]),
  ].join('\n');
}
