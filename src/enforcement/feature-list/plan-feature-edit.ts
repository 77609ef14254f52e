import { canonicalCriterionId, normalizeCriterionText } from '../../domain/criteria/criterion.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import type { ListFault } from '../../domain/feature-list/feature-list.ts';
import type { ListedCriterion, ListedFields } from '../../domain/feature-list/list-fields.ts';
import type { ListEditor } from '../../domain/feature-list/list-rights.ts';
import { noSuchFeature, type PlannedEdit, planListEdit } from './planned-edit.ts';

export interface FeatureEdit {
  /** Fields as they shall be. */
  says: Omit<ListedFields, 'acceptance_criteria' | 'dependencies' | 'extra'>;
  criteriaAdded: readonly ListedCriterion[];
  /** Ids. */
  criteriaRemoved: readonly string[];
  dependenciesAdded: readonly string[];
  dependenciesRemoved: readonly string[];
  /** The whole feature goes. */
  remove: boolean;
}

/** Changes one feature, by the rights of who asks. */
export function planFeatureEdit(
  current: readonly Feature[],
  id: string,
  edit: FeatureEdit,
  editor: ListEditor,
): PlannedEdit {
  const before = current.find((one) => one.id === id);
  if (!before) return { ok: false, faults: [noSuchFeature(current, id)] };
  if (edit.remove) return planListEdit(current, { before: [before], after: [], editor });
  if (before.status === 'blocked' && edit.says.status !== undefined && edit.says.status !== 'blocked') {
    const guidance = `A person unblocks it: \`guardkit feature unblock ${id} --reason TEXT\`.`;
    return refuse(id, 'status', 'it is blocked', guidance);
  }
  const missing = missingParts(before, edit);
  if (missing) return missing;
  const gone = new Set(edit.criteriaRemoved.map(canonicalCriterionId));
  const dependencies = before.dependencies.filter((one) => !edit.dependenciesRemoved.includes(one));
  const says: ListedFields = {
    ...edit.says,
    dependencies: [...new Set([...dependencies, ...edit.dependenciesAdded])],
    acceptance_criteria: [
      ...before.acceptance_criteria.filter((one) => !gone.has(canonicalCriterionId(one.id))),
      ...edit.criteriaAdded,
    ],
  };
  return planListEdit(current, { before: [before], after: [{ id, says }], editor });
}

/** What shall go must be there: a slip would look like work done. */
function missingParts(before: Feature, edit: FeatureEdit): PlannedEdit | undefined {
  const { id, acceptance_criteria: criteria, dependencies } = before;
  const has = new Set(criteria.map((one) => canonicalCriterionId(one.id)));
  const criterion = edit.criteriaRemoved.find((one) => !has.has(canonicalCriterionId(one)));
  const guidance = `\`guardkit feature show ${id}\` shows what it has.`;
  if (criterion !== undefined)
    return refuse(id, 'acceptance_criteria', `it has no criterion ${criterion}`, guidance);
  const dependency = edit.dependenciesRemoved.find((one) => !dependencies.includes(one));
  if (dependency !== undefined)
    return refuse(id, 'dependencies', `it does not wait for ${dependency}`, guidance);
  // Two with one id would be taken for one that was reworded.
  const twice = criteria.find(({ id: own, text }) =>
    edit.criteriaAdded.some((one) =>
      one.id === undefined
        ? normalizeCriterionText(one.text) === normalizeCriterionText(text)
        : canonicalCriterionId(one.id) === canonicalCriterionId(own),
    ),
  );
  return twice && refuse(id, 'acceptance_criteria', `it has the criterion ${twice.id} already`, guidance);
}

function refuse(feature: string, field: string, why: string, guidance: string): PlannedEdit {
  const fault: ListFault = { feature, field, why, guidance };
  return { ok: false, faults: [fault] };
}
