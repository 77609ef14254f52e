import type { FoundWork } from '../../config/work/find-work.ts';
import { verificationSchema } from '../../domain/entities/verification.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { ChangeActor } from './change-actor.ts';
import { changeDefinedFeature } from './change-defined-feature.ts';
import type { FeatureListContext } from './known-list.ts';
import { reconcileFeatureList } from './reconcile-feature-list.ts';

/**
 * A person merged a feature whose every task was approved on evidence: it is completed and tested at the tree that was
 * merged, and later changes are no longer its own.
 */
export function closeFeature(
  context: FeatureListContext,
  doer: ChangeActor,
  work: Pick<FoundWork, 'feature' | 'tasks'>,
  tree: string,
): void {
  inTransaction(context.ledger, () => {
    reconcileFeatureList(context, doer);
    const evidence = passedVerifications(context.ledger, context.project, work.feature.id);
    changeDefinedFeature(context, work, 'person', (before) => ({
      ...before,
      status: 'completed',
      blocked_reason: null,
      closed: true,
      tested: true,
      evidence: [...new Set([...before.evidence, ...evidence])],
      tested_tree: tree,
      tested_in: context.checkout,
    }));
  });
}

/** The last passing verification of the feature and of each of its tasks. */
function passedVerifications(ledger: Ledger, project: string, featureId: string): string[] {
  const last = new Map<string | null, string>();
  const newestFirst = ledger.lookup(project, {
    kind: 'verification_recorded',
    field: 'feature_id',
    value: featureId,
  });
  for (const { body } of newestFirst) {
    const { id, task_id, outcome } = verificationSchema.parse(body);
    if (outcome === 'pass' && !last.has(task_id)) last.set(task_id, id);
  }
  return [...last.values()];
}
