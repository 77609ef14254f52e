import type { FoundWork } from '../../config/work/find-work.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { type Verification, verificationSchema } from '../../domain/entities/verification.ts';
import { FEATURE_LIST_PATH } from '../../domain/protection/protected-paths.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import type { FeaturesRecorded } from '../../store/ledger/kinds/work/features-recorded.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { changeFeatures, featuresNumber } from '../../store/ledger/tables/feature-table.ts';
import type { ChangeActor } from './change-actor.ts';
import { definedFeature } from './defined-feature.ts';
import { type FeatureListContext, findKnownList } from './known-list.ts';
import { projectList } from './project-list.ts';
import { type Reconciled, reconcileFeatureList } from './reconcile-feature-list.ts';

/**
 * Records a verification and sets `tested` in ledger and list, in one transaction. A task's verification does not change
 * the feature.
 */
export function recordVerification(
  context: FeatureListContext,
  changedBy: ChangeActor,
  work: Pick<FoundWork, 'feature' | 'tasks'>,
  verification: Verification,
  /** Real path of the checkout that was verified. */
  testedIn: string = context.checkout,
): Reconciled {
  const { ledger, project } = context;
  return inTransaction(ledger, () => {
    const reconciled = reconcileFeatureList(context, changedBy);
    ledger.append(project, 'verification_recorded', verification);
    if (verification.task_id !== null) return reconciled;
    changeDefinedFeature(context, work, 'verification', (before) => judged(before, verification, testedIn));
    return reconciled;
  });
}

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

/** A feature that failed, or whose files changed since, is open again. */
export function untested(feature: Feature): Feature {
  return { ...feature, tested: false, evidence: [], tested_tree: null, tested_in: null, closed: false };
}

/**
 * Changes a feature in ledger and list. Call it in a transaction, after reconciling the list. A feature that only files
 * define is added first.
 */
export function changeDefinedFeature(
  context: FeatureListContext,
  { feature, tasks }: Pick<FoundWork, 'feature' | 'tasks'>,
  by: FeaturesRecorded['by'],
  change: (before: Feature) => Feature,
): void {
  const { ledger, project } = context;
  changeFeatures(ledger, project, (current) => {
    const known = current.find(({ id }) => id === feature.id);
    const isListed = feature.path === FEATURE_LIST_PATH;
    const before = known && isListed ? known : definedFeature(ledger, project, feature, tasks, known);
    return { by, actor: 'guardkit', features: [change(before)] };
  });
  const list = findKnownList(context);
  if (list && list.number !== featuresNumber(ledger, project)) projectList(context, list);
}

/**
 * Closes a feature that a person merged after every task was approved on evidence: it is completed and tested at the merged
 * tree, and later changes do not reopen it.
 */
export function closeFeature(
  context: FeatureListContext,
  changedBy: ChangeActor,
  work: Pick<FoundWork, 'feature' | 'tasks'>,
  tree: string,
): void {
  inTransaction(context.ledger, () => {
    reconcileFeatureList(context, changedBy);
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
