import { readWork } from '../../config/work/read-work.ts';
import type { Work } from '../../config/work/work.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import { changeFeatures, featuresNumber, readFeatures } from '../../store/ledger/tables/feature-table.ts';
import type { ChangeActor } from './change-actor.ts';
import { definedFeatures } from './defined-feature.ts';
import { type FeatureListContext, findKnownList } from './known-list.ts';
import { projectList } from './project-list.ts';
import { type Reconciled, reconcileFeatureList } from './reconcile-feature-list.ts';

/**
 * Synchronizes ledger and list: reconciles edits of the list, then adds features defined in files, then writes the list if
 * it differs. Creates a missing list only with `create`.
 */
export async function projectFeatures(
  context: FeatureListContext,
  changedBy: ChangeActor,
  { create }: { create: boolean },
): Promise<Reconciled> {
  const work = await readWork(context.checkout);
  return inTransaction(context.ledger, () => {
    const reconciled = reconcileFeatureList(context, changedBy);
    addDefined(context, work);
    const absent = absentFeatures(work, readFeatures(context.ledger, context.project));
    const known = findKnownList(context);
    if (!known && !create) return reconciled;
    const isCurrent =
      known?.number === featuresNumber(context.ledger, context.project) &&
      known.absent.length === absent.length &&
      known.absent.every((id, index) => id === absent[index]);
    if (isCurrent) return reconciled;
    projectList(context, { absent, extra: known?.extra ?? {} });
    return { ...reconciled, rewritten: true };
  });
}

function addDefined({ ledger, project }: FeatureListContext, work: Work): void {
  changeFeatures(ledger, project, (current) => ({
    by: 'projection',
    actor: 'guardkit',
    features: definedFeatures(ledger, project, work, current),
  }));
}

/** Features whose files are on another branch; not those whose file has a fault. */
export function absentFeatures(work: Work, features: readonly Feature[]): string[] {
  const defined = new Set(work.features.map(({ id }) => id));
  const faulty = new Set(work.faults.map(({ file }) => file));
  return features
    .filter(({ id, defined_in }) => defined_in !== null && !defined.has(id) && !faulty.has(defined_in))
    .map(({ id }) => id)
    .sort();
}
