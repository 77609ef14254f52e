import { computeMetrics } from '../../../learning/metrics/compute-metrics.ts';
import { gatherMetricFacts } from '../../../learning/metrics/gather-metric-facts.ts';
import { readPatterns } from '../../../learning/patterns/extract-patterns.ts';
import { readLearnedGuards } from '../../../store/ledger/tables/learned-guards.ts';
import type { LearningAnswer } from './learning-schema.ts';
import type { OpenedProject, ReadContext } from './read-context.ts';

const DAY_MS = 24 * 60 * 60_000;
const MAX_PATTERNS = 200;

/** Patterns, guards made from them, and the success metrics, as the last session left them: reading learns nothing. */
export async function readLearning(
  context: ReadContext,
  { ledger, project, checkout }: OpenedProject,
  days: number,
): Promise<LearningAnswer> {
  const now = Date.now();
  const since = now - days * DAY_MS;
  const store = await context.store(checkout);
  const patterns = store ? await readPatterns(store, project) : [];
  return {
    metrics: computeMetrics(gatherMetricFacts(ledger, project, checkout ?? '', since), since, now),
    patterns: patterns.slice(0, MAX_PATTERNS),
    proposals: readLearnedGuards(ledger, project).map((guard) => ({
      ...guard,
      summary: String(guard.definition.summary ?? guard.guard_id),
    })),
  };
}
