import type { FoundWork } from '../../config/work/find-work.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import type { Verification } from '../../domain/entities/verification.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import type { ChangeActor } from './change-actor.ts';
import { changeDefinedFeature } from './change-defined-feature.ts';
import type { FeatureListContext } from './known-list.ts';
import { type Reconciled, reconcileFeatureList } from './reconcile-feature-list.ts';

/**
 * Records what the gates said, and with it whether the feature is tested, in ledger and list at once. The one place that
 * sets `tested`. A task's verification says nothing of the whole feature.
 */
export function recordVerification(
  context: FeatureListContext,
  doer: ChangeActor,
  work: Pick<FoundWork, 'feature' | 'tasks'>,
  verification: Verification,
  /** The checkout whose files were judged, by its real path. */
  testedIn: string = context.checkout,
): Reconciled {
  const { ledger, project } = context;
  return inTransaction(ledger, () => {
    const reconciled = reconcileFeatureList(context, doer);
    ledger.append(project, 'verification_recorded', verification);
    if (verification.task_id !== null) return reconciled;
    changeDefinedFeature(context, work, 'verification', (before) => judged(before, verification, testedIn));
    return reconciled;
  });
}

/** A feature as a verification leaves it. */
export function judged(before: Feature, verification: Verification, checkout: string): Feature {
  if (verification.outcome !== 'pass') return untested(before);
  const runs = verification.gates.flatMap(({ evidence }) => evidence);
  return {
    ...before,
    tested: true,
    evidence: [...new Set([verification.id, ...runs])],
    tested_tree: verification.tree,
    tested_in: checkout,
  };
}

/** One that fails, or was changed since, is open again. */
export function untested(feature: Feature): Feature {
  return { ...feature, tested: false, evidence: [], tested_tree: null, tested_in: null, closed: false };
}
