import { verificationSchema } from '../../domain/entities/verification.ts';
import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { snapshotTree } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import { changeFeatures, featuresNumber } from '../../store/ledger/tables/feature-table.ts';
import type { ChangeActor } from './change-actor.ts';
import { formatRefreshed } from './format-reconciliation.ts';
import { type FeatureListContext, findKnownList } from './known-list.ts';
import { projectFeatures } from './project-features.ts';
import { projectList } from './project-list.ts';
import { type Reconciled, reconcileFeatureList } from './reconcile-feature-list.ts';
import { judged } from './record-verification.ts';
import { refreshTested } from './refresh-tested.ts';

export interface Adopted extends Reconciled {
  /** Ids of features listed as tested that have a passing verification of the current tree. */
  proven: string[];
  /** Ids of features listed as tested without such evidence. */
  unproven: string[];
}

/** Adopts a list that existed before GuardKit. Its features are untested unless there is evidence. */
export async function adoptFeatureList(
  context: FeatureListContext,
  changedBy: ChangeActor,
): Promise<Adopted> {
  const { ledger, project, checkout } = context;
  const reconciled = reconcileFeatureList(context, changedBy);
  const claimed = reconciled.faults
    .filter(({ feature, field }) => field === 'tested' && reconciled.adopted.includes(feature))
    .map(({ feature }) => feature);
  if (claimed.length === 0) return { ...reconciled, proven: [], unproven: [] };
  const tree = await snapshotTree(await Repository.open(checkout), OUTSIDE_THE_TREE);
  return inTransaction(ledger, () => {
    const proven: string[] = [];
    changeFeatures(ledger, project, (current) => ({
      by: 'verification',
      actor: 'guardkit',
      features: current
        .filter(({ id }) => claimed.includes(id))
        .flatMap((one) => {
          const verification = lastVerification(context, one.id);
          if (verification?.outcome !== 'pass' || verification.tree !== tree) return [];
          proven.push(one.id);
          return [judged(one, verification, checkout)];
        }),
    }));
    const list = findKnownList(context);
    if (list && list.number !== featuresNumber(ledger, project)) projectList(context, list);
    const unproven = claimed.filter((id) => !proven.includes(id));
    return { ...reconciled, proven, unproven };
  });
}

function lastVerification({ ledger, project }: FeatureListContext, feature: string) {
  const recorded = ledger.lookup(project, {
    kind: 'verification_recorded',
    field: 'feature_id',
    value: feature,
  });
  for (const { body } of recorded) {
    const verification = verificationSchema.parse(body);
    if (verification.task_id === null) return verification;
  }
  return undefined;
}

export interface UpToDate {
  adopted: Adopted;
  /** For the person, one line each, in addition to those about the adopted list. */
  notices: string[];
}

/** At the start of a session: adopts the list, adds features defined in files, and clears stale `tested`. */
export async function bringFeaturesUpToDate(
  list: FeatureListContext,
  changedBy: ChangeActor,
): Promise<UpToDate> {
  const adopted = await adoptFeatureList(list, changedBy);
  await projectFeatures(list, changedBy, { create: false });
  const refreshed = await refreshTested(list, changedBy);
  return { adopted, notices: formatRefreshed(refreshed) };
}
