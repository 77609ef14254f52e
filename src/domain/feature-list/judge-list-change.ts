import { assignCriterionIds } from '../criteria/assign-criterion-ids.ts';
import { type Feature, featureSchema } from '../entities/feature.ts';
import type { FeatureList, ListedFeature, ListFault } from './feature-list.ts';
import { type ChangedField, changedFields, isSameCriteria } from './list-changes.ts';
import { CONTROLLED_FIELDS, type ListedCriterion, type ListedFields } from './list-fields.ts';
import { type ListEditor, type ListRights, rightsOf } from './list-rights.ts';

export interface ListJudgement {
  /** Changes that the editor may not make, and unreadable parts; `merged` has none of them. */
  faults: ListFault[];
  /** The features with the allowed changes, known ones first in their order. */
  merged: Feature[];
  /** Those of `merged` that changed, adopted ones included. */
  changed: Feature[];
  /** Ids of features that were not known before. */
  adopted: string[];
  /** Ids of removed features. */
  removed: string[];
}

/**
 * Judges a change of the list by its editor: allowed changes are merged, others are dropped.
 * `known`: ids that are taken although they are not in `before`.
 */
export function judgeListChange(
  before: readonly Feature[],
  after: FeatureList,
  editor: ListEditor,
  known: ReadonlySet<string> = new Set(),
): ListJudgement {
  const rights = rightsOf(editor);
  const listed = new Map(after.features.map((one) => [one.id, one.values]));
  const judgement: ListJudgement = {
    faults: [...after.faults],
    merged: [],
    changed: [],
    adopted: [],
    removed: [],
  };
  for (const feature of before) {
    const values = listed.get(feature.id);
    if (values === undefined) judgeRemoval(feature, rights, judgement);
    else keep(mergeFeature(feature, values, rights, judgement.faults), feature, judgement);
  }
  const ids = new Set(before.map(({ id }) => id));
  const added = after.features.filter(({ id }) => !ids.has(id) && !known.has(id));
  if (added.length > 0) judgeAdded(added, [...ids, ...known], rights, judgement);
  return judgement;
}

function keep(merged: Feature, before: Feature, judgement: ListJudgement): void {
  judgement.merged.push(merged);
  if (merged !== before) judgement.changed.push(merged);
}

function judgeRemoval(feature: Feature, rights: ListRights, judgement: ListJudgement): void {
  const { id, defined_in } = feature;
  if (rights.removes && defined_in === null) {
    judgement.removed.push(id);
    return;
  }
  judgement.merged.push(feature);
  judgement.faults.push(
    defined_in === null
      ? fault(id, 'id', `${id} was removed`, 'Restore it: only a person may remove a feature.')
      : fault(
          id,
          'id',
          `${id} was removed`,
          `It is defined in ${defined_in}; only a person may remove it there.`,
        ),
  );
}

function judgeAdded(
  added: readonly ListedFeature[],
  taken: readonly string[],
  rights: ListRights,
  judgement: ListJudgement,
): void {
  const lower = new Map(taken.map((id) => [id.toLowerCase(), id]));
  for (const { id, values } of added) {
    const alike = lower.get(id.toLowerCase());
    if (alike !== undefined) {
      judgement.faults.push(fault(id, 'id', `${id} is too similar to ${alike}`, 'Use another id.'));
      continue;
    }
    if (!rights.adds) {
      const guidance = 'Remove it, and name it in your answer.';
      judgement.faults.push(fault(id, 'id', `${id} is new, and you may not add features`, guidance));
      continue;
    }
    const feature = adoptFeature(id, values, rights, judgement.faults);
    judgement.merged.push(feature);
    judgement.changed.push(feature);
    judgement.adopted.push(id);
  }
}

/** A feature that only the list has; it starts untested. */
function adoptFeature(id: string, values: ListedFields, rights: ListRights, faults: ListFault[]): Feature {
  const empty = featureSchema.parse({ id });
  const everything = { ...rights, fields: 'all', criteria: 'all', statuses: rights.newStatuses } as const;
  return mergeFeature(empty, values, everything, faults);
}

function mergeFeature(
  before: Feature,
  values: ListedFields,
  rights: ListRights,
  faults: ListFault[],
): Feature {
  let merged = before;
  for (const key of changedFields(before, values)) {
    if (key === 'acceptance_criteria') continue;
    const refused = refuseField(before, key, values, rights);
    if (refused) faults.push(refused);
    else merged = { ...merged, [key]: values[key] };
  }
  // An editor who may not remove one criterion may not drop the whole field either.
  const { acceptance_criteria: said = rights.criteria === 'all' ? null : [] } = values;
  if (said === null) return merged;
  const criteria = mergeCriteria(before, said, rights);
  if (criteria.faults.length > 0) faults.push(...criteria.faults);
  return criteria.merged === before.acceptance_criteria
    ? merged
    : { ...merged, acceptance_criteria: criteria.merged };
}

function refuseField(
  before: Feature,
  key: ChangedField,
  values: ListedFields,
  { fields, statuses }: ListRights,
): ListFault | undefined {
  const { id } = before;
  if (isControlled(key)) {
    const why = `${key} is ${shown(values[key])}, but GuardKit recorded ${shown(before[key])}`;
    return fault(id, key, why, `Leave it unchanged: ${WAYS[key].replace('ID', id)}`);
  }
  if (key === 'extra') return undefined;
  if (before.defined_in !== null && DEFINED_FIELDS.has(key))
    return fault(
      id,
      key,
      `${key} was changed`,
      `It is defined in ${before.defined_in}; only a person may change it there.`,
    );
  if (key === 'status') {
    const status = values.status ?? before.status;
    if (statuses === 'all') return undefined;
    if (before.status === 'blocked')
      return fault(id, key, 'it is blocked', 'Only a person may unblock a feature.');
    if (statuses.includes(status)) return undefined;
    const allowed = statuses.length > 0 ? `Set it to ${statuses.join(' or ')}.` : 'Leave it unchanged.';
    return fault(id, key, `you may not set it to ${status}`, allowed);
  }
  if (fields === 'all' || fields.has(key)) return undefined;
  return fault(
    id,
    key,
    `you may not change ${key}`,
    'Leave it unchanged, and suggest the change in your answer.',
  );
}

const WAYS = {
  tested: '`guardkit verify ID` sets it when every required gate passes.',
  evidence: 'it lists runs of GuardKit.',
  retries: 'GuardKit counts the attempts.',
  blocked_reason: 'GuardKit sets it, and a person unblocks the feature.',
} as const satisfies Record<(typeof CONTROLLED_FIELDS)[number], string>;

/** Fields defined in the feature's own file, if it has one. */
const DEFINED_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'priority',
  'task_type',
  'complexity',
  'dependencies',
  'verify',
  'ui',
]);

function isControlled(key: string): key is (typeof CONTROLLED_FIELDS)[number] {
  return CONTROLLED_FIELDS.some((field) => field === key);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}

function fault(feature: string, field: string, why: string, guidance: string): ListFault {
  return { feature, field, why, guidance };
}

type Criteria = Feature['acceptance_criteria'];

interface MergedCriteria {
  /** The same array as before if nothing changes. */
  merged: Criteria;
  faults: ListFault[];
}

/** Merges the criteria of the list: each is matched by id or text, and an editor without the right cannot remove any. */
function mergeCriteria(
  { id: feature, acceptance_criteria: before, defined_in }: Feature,
  said: readonly ListedCriterion[],
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
    const guidance = `They are defined in ${defined_in}; only a person may change them there.`;
    return { merged: before, faults: [refuse('criteria were changed', guidance)] };
  }
  const written = said.map((one, index) => ({ ...one, detail: '', line: index + 1 }));
  const assigned = assignCriterionIds(written, before);
  if (!assigned.ok) {
    const { why, hint, repeats } = assigned;
    const fault = repeats ? `${repeats.what} is already criterion ${repeats.line}` : why;
    return { merged: before, faults: [refuse(`criteria: ${fault}`, sentence(hint))] };
  }
  const now = new Map(assigned.criteria.map((one) => [one.id, one]));
  const lost = before.filter(({ id }) => !now.has(id));
  const reworded = assigned.criteria.filter(({ previousText }) => previousText !== undefined);
  const added = assigned.criteria.filter(({ id }) => !before.some((one) => one.id === id));
  if (right === 'all') return { merged: assigned.criteria.map(({ id, text }) => ({ id, text })), faults: [] };
  const faults: ListFault[] = [];
  const person = 'Restore them: only a person may remove or reword a criterion.';
  if (lost.length > 0) faults.push(refuse(`${names(lost)} ${was(lost)} removed`, person));
  if (reworded.length > 0) faults.push(refuse(`${names(reworded)} ${was(reworded)} reworded`, person));
  if (added.length > 0 && right === 'none') {
    const guidance = 'Remove them, and suggest them in your answer.';
    faults.push(
      refuse(
        `${names(added)} ${added.length === 1 ? 'is' : 'are'} new, and you may not add criteria`,
        guidance,
      ),
    );
  }
  const further = right === 'add' ? added.map(({ id, text }) => ({ id, text })) : [];
  return { merged: further.length > 0 ? [...before, ...further] : before, faults };
}

function names(criteria: readonly { id: string }[]): string {
  const ids = criteria.slice(0, 5).map(({ id }) => id);
  return ids.join(', ') + (criteria.length > 5 ? ` and ${criteria.length - 5} more` : '');
}

function was(criteria: readonly unknown[]): string {
  return criteria.length === 1 ? 'was' : 'were';
}

function sentence(hint: string): string {
  return `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`;
}
