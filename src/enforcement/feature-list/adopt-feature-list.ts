import { verificationSchema } from '../../domain/entities/verification.ts';
import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { snapshotTree } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import { changeFeatures, featuresNumber } from '../../store/ledger/tables/feature-table.ts';
import type { ChangeActor } from './change-actor.ts';
import { type FeatureListContext, findKnownList } from './known-list.ts';
import { projectList } from './project-list.ts';
import { type Reconciled, reconcileFeatureList } from './reconcile-feature-list.ts';
import { judged } from './record-verification.ts';

export interface Adopted extends Reconciled {
  /** Ids of features that said they are tested, and that GuardKit itself has seen pass on the files as they are. */
  proven: string[];
  /** Ids of features that said so, and for which there is no evidence. */
  unproven: string[];
}

/** Takes in a list that was there before GuardKit. Everything in it is untested, unless there is evidence for it. */
export async function adoptFeatureList(context: FeatureListContext, doer: ChangeActor): Promise<Adopted> {
  const { ledger, project, checkout } = context;
  const reconciled = reconcileFeatureList(context, doer);
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
