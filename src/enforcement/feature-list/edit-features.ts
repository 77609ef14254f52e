import type { Feature } from '../../domain/entities/feature.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import { readFeature, readFeatures, recordFeatures } from '../../store/ledger/tables/feature-table.ts';
import type { ChangeActor } from './change-actor.ts';
import type { FeatureListContext } from './known-list.ts';
import type { PlannedEdit } from './plan-feature-edit.ts';
import { projectFeatures } from './project-features.ts';
import { type Reconciled, reconcileFeatureList } from './reconcile-feature-list.ts';

export interface EditedFeatures {
  planned: PlannedEdit;
  /** Before the change. */
  current: readonly Feature[];
  /** The result of reconciling the list first. */
  reconciled: Reconciled;
}

/**
 * Changes features for a command, in ledger and list. Earlier edits of the list are reconciled first, under their own
 * author; the plan is made and recorded in one transaction.
 */
export async function editFeatures(
  context: FeatureListContext,
  changedBy: ChangeActor,
  who: { by: 'person' | 'agent'; actor: string },
  plan: (current: readonly Feature[]) => PlannedEdit,
): Promise<EditedFeatures> {
  const { ledger, project } = context;
  const reconciled = await projectFeatures(context, changedBy, { create: false });
  const { planned, current } = inTransaction(ledger, () => {
    reconcileFeatureList(context, changedBy);
    const current = readFeatures(ledger, project);
    const planned = plan(current);
    if (!planned.ok) return { planned, current };
    const { changed: features, removed, entries = [] } = planned;
    if (entries.length > 0) ledger.appendMany(project, [...entries]);
    recordFeatures(ledger, project, { ...who, features, removed });
    // As recorded, with secrets scrubbed.
    const changed = features.flatMap(({ id }) => readFeature(ledger, project, id) ?? []);
    return { planned: { ...planned, changed }, current };
  });
  if (planned.ok) await projectFeatures(context, changedBy, { create: true });
  return { planned, current, reconciled };
}
