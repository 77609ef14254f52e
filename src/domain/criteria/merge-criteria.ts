import type { Feature } from '../entities/feature.ts';
import type { ListFault } from '../feature-list/feature-list.ts';
import type { SaidCriterion } from '../feature-list/list-fields.ts';
import type { ListRights } from '../feature-list/list-rights.ts';
import { isSameCriteria } from '../json/said-changes.ts';
import { assignCriterionIds } from './assign-criterion-ids.ts';

type Criteria = Feature['acceptance_criteria'];

interface MergedCriteria {
  /** The very list of before where nothing changes. */
  merged: Criteria;
  faults: ListFault[];
}

/** Criteria as the list has them now: each found again by its id or its text, and none lost by who may not. */
export function mergeCriteria(
  { id: feature, acceptance_criteria: before, defined_in }: Feature,
  said: readonly SaidCriterion[],
  { criteria: right }: Pick<ListRights, 'criteria'>,
): MergedCriteria {
  if (isSameCriteria(before, said)) return { merged: before, faults: [] };
  const refuse = (why: string, guidance: string): ListFault => ({
    feature,
    field: 'acceptance_criteria',
    why,
    guidance,
  });
  if (defined_in !== null) {
    const guidance = `They are defined in ${defined_in}: a person changes them there.`;
    return { merged: before, faults: [refuse('criteria were changed', guidance)] };
  }
  const written = said.map((one, index) => ({ ...one, detail: '', line: index + 1 }));
  const assigned = assignCriterionIds(written, before);
  if (!assigned.ok)
    return { merged: before, faults: [refuse(`criteria: ${assigned.why}`, sentence(assigned.hint))] };
  const now = new Map(assigned.criteria.map((one) => [one.id, one]));
  const lost = before.filter(({ id }) => !now.has(id));
  const reworded = assigned.criteria.filter(({ previousText }) => previousText !== undefined);
  const added = assigned.criteria.filter(({ id }) => !before.some((one) => one.id === id));
  if (right === 'all') return { merged: assigned.criteria.map(({ id, text }) => ({ id, text })), faults: [] };
  const faults: ListFault[] = [];
  const person = 'Put them back as they were: only a person removes or rewords a criterion.';
  if (lost.length > 0) faults.push(refuse(`${names(lost)} ${are(lost)} gone`, person));
  if (reworded.length > 0) faults.push(refuse(`${names(reworded)} ${are(reworded)} reworded`, person));
  if (added.length > 0 && right === 'none') {
    const guidance = 'Leave them out, and say in your answer what should be added.';
    faults.push(refuse(`${names(added)} ${are(added)} new, and adding criteria is not yours`, guidance));
  }
  const further = right === 'add' ? added.map(({ id, text }) => ({ id, text })) : [];
  return { merged: further.length > 0 ? [...before, ...further] : before, faults };
}

function names(criteria: readonly { id: string }[]): string {
  const ids = criteria.slice(0, 5).map(({ id }) => id);
  return ids.join(', ') + (criteria.length > 5 ? ` and ${criteria.length - 5} more` : '');
}

function are(criteria: readonly unknown[]): string {
  return criteria.length === 1 ? 'is' : 'are';
}

function sentence(hint: string): string {
  return `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`;
}
