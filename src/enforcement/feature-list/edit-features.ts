import type { Feature } from '../../domain/entities/feature.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import { readFeature, readFeatures, recordFeatures } from '../../store/ledger/tables/feature-table.ts';
import type { ChangeActor } from './change-actor.ts';
import type { FeatureListContext } from './known-list.ts';
import type { PlannedEdit } from './planned-edit.ts';
import { projectFeatures } from './project-features.ts';
import { type Reconciled, reconcileFeatureList } from './reconcile-feature-list.ts';

export interface EditedFeatures {
  planned: PlannedEdit;
  /** Before the change. */
  current: readonly Feature[];
  /** What was found in the list first. */
  reconciled: Reconciled;
}

/**
 * Changes features for a command, in ledger and list. What somebody wrote into the list before is seen to first and is
 * theirs; the plan is made on what holds then, and nobody changes it meanwhile.
 */
export async function editFeatures(
  context: FeatureListContext,
  doer: ChangeActor,
  who: { by: 'person' | 'agent'; actor: string },
  plan: (current: readonly Feature[]) => PlannedEdit,
): Promise<EditedFeatures> {
  const { ledger, project } = context;
  const reconciled = await projectFeatures(context, doer, { create: false });
  const { planned, current } = inTransaction(ledger, () => {
    reconcileFeatureList(context, doer);
    const current = readFeatures(ledger, project);
    const planned = plan(current);
    if (!planned.ok) return { planned, current };
    const { changed: features, removed, entries = [] } = planned;
    if (entries.length > 0) ledger.appendMany(project, [...entries]);
    recordFeatures(ledger, project, { ...who, features, removed });
    // As they were recorded: without secrets.
    const changed = features.flatMap(({ id }) => readFeature(ledger, project, id) ?? []);
    return { planned: { ...planned, changed }, current };
  });
  if (planned.ok) await projectFeatures(context, doer, { create: true });
  return { planned, current, reconciled };
}
