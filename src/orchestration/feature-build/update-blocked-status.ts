import type { FoundWork } from '../../config/work/find-work.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import type { ChangeActor } from '../../enforcement/feature-list/change-actor.ts';
import type { FeatureListContext } from '../../enforcement/feature-list/known-list.ts';
import { reconcileFeatureList } from '../../enforcement/feature-list/reconcile-feature-list.ts';
import { changeDefinedFeature } from '../../enforcement/feature-list/record-verification.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import type { BuildEnded } from '../../store/ledger/kinds/sessions/builds.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import { composeDossier } from '../session/compose-dossier.ts';
import { shownStatus } from '../session/next-runnable.ts';
import { MAX_ATTEMPTS } from '../session/session.ts';
import type { BuildRecord } from './build-record.ts';
import { summarizeAttempt } from './summarize-attempt.ts';

const OPEN: ReadonlySet<Feature['status']> = new Set(['pending', 'in_progress']);

/**
 * Updates the feature after a build outside a session: blocked after MAX_ATTEMPTS failed attempts, no longer blocked after
 * an approval. Stored with the feature, so that every command shows the same status.
 */
export function updateBlockedStatus(
  context: FeatureListContext,
  changedBy: ChangeActor,
  work: Pick<FoundWork, 'feature' | 'tasks'>,
  record: BuildRecord,
  outcome: BuildEnded['outcome'],
): 'blocked' | 'freed' | undefined {
  const known = readFeature(context.ledger, context.project, record.featureId);
  const status = known ? shownStatus(known) : 'pending';
  const blocks = OPEN.has(status) && record.failedAttempts.length >= MAX_ATTEMPTS;
  if (!blocks && !(status === 'blocked' && outcome === 'approved')) return undefined;
  inTransaction(context.ledger, () => {
    reconcileFeatureList(context, changedBy);
    changeDefinedFeature(context, work, 'build', (before) =>
      blocks ? { ...before, status: 'blocked', blocked_reason: question(record) } : freed(before),
    );
  });
  return blocks ? 'blocked' : 'freed';
}

/** The same question that a session would ask. */
function question(record: BuildRecord): string {
  const attempts = record.failedAttempts.slice(-MAX_ATTEMPTS).map((end, index) => ({
    attempt: index + 1,
    outcome: end.outcome,
    ...summarizeAttempt(record, end.build_id, end),
  }));
  return composeDossier(record.featureId, attempts).question;
}

function freed(before: Feature): Feature {
  return { ...before, status: 'pending', blocked_reason: null, retries: 0 };
}
