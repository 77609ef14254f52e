import { assignCriterionIds } from '../criteria/assign-criterion-ids.ts';
import { type Feature, featureSchema } from '../entities/feature.ts';
import type { FeatureList, ListedFeature, ListFault } from './feature-list.ts';
import { isSameCriteria, type SaidField, saidChanges } from './list-changes.ts';
import { CONTROLLED_FIELDS, type Said, type SaidCriterion } from './list-fields.ts';
import { type ListEditor, type ListRights, rightsOf } from './list-rights.ts';

export interface ListJudgement {
  /** What is not the editor's to change, and what could not be read; none of it is in `merged`. */
  faults: ListFault[];
  /** The features with what is allowed, known ones first in their order. */
  merged: Feature[];
  /** Those of `merged` that are not as before, the adopted ones included. */
  changed: Feature[];
  /** Ids of features that were not known before. */
  adopted: string[];
  /** Ids of features that are gone. */
  removed: string[];
}

/**
 * Judges what became of a list by who changed it: what is allowed stands, what is not is as it was before.
 * `known` are ids that are taken though they are not in `before`.
 */
export function judgeListChange(
  before: readonly Feature[],
  after: FeatureList,
  editor: ListEditor,
  known: ReadonlySet<string> = new Set(),
): ListJudgement {
  const rights = rightsOf(editor);
  const listed = new Map(after.features.map((one) => [one.id, one.says]));
  const judgement: ListJudgement = {
    faults: [...after.faults],
    merged: [],
    changed: [],
    adopted: [],
    removed: [],
  };
  for (const feature of before) {
    const says = listed.get(feature.id);
    if (says === undefined) judgeRemoval(feature, rights, judgement);
    else keep(mergeFeature(feature, says, rights, judgement.faults), feature, judgement);
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
      ? fault(id, 'id', `${id} is gone`, 'Put it back: only a person removes a feature.')
      : fault(id, 'id', `${id} is gone`, `It is defined in ${defined_in}: a person removes it there.`),
  );
}

function judgeAdded(
  added: readonly ListedFeature[],
  taken: readonly string[],
  rights: ListRights,
  judgement: ListJudgement,
): void {
  const lower = new Map(taken.map((id) => [id.toLowerCase(), id]));
  for (const { id, says } of added) {
    const alike = lower.get(id.toLowerCase());
    if (alike !== undefined) {
      judgement.faults.push(fault(id, 'id', `${id} is too much like ${alike}`, 'Give it another id.'));
      continue;
    }
    if (!rights.adds) {
      const guidance = 'Leave it out, and say in your answer what should be added.';
      judgement.faults.push(fault(id, 'id', `${id} is new, and adding features is not yours`, guidance));
      continue;
    }
    const feature = adoptFeature(id, says, rights, judgement.faults);
    judgement.merged.push(feature);
    judgement.changed.push(feature);
    judgement.adopted.push(id);
  }
}

/** A feature that only the list knows: as it says, but untested. */
function adoptFeature(id: string, says: Said, rights: ListRights, faults: ListFault[]): Feature {
  const empty = featureSchema.parse({ id });
  const everything = { ...rights, fields: 'all', criteria: 'all', statuses: rights.newStatuses } as const;
  return mergeFeature(empty, says, everything, faults);
}

function mergeFeature(before: Feature, says: Said, rights: ListRights, faults: ListFault[]): Feature {
  let merged = before;
  for (const key of saidChanges(before, says)) {
    if (key === 'acceptance_criteria') continue;
    const refused = refuseField(before, key, says, rights);
    if (refused) faults.push(refused);
    else merged = { ...merged, [key]: says[key] };
  }
  // Who may not remove a criterion may not leave out all of them either.
  const { acceptance_criteria: said = rights.criteria === 'all' ? null : [] } = says;
  if (said === null) return merged;
  const criteria = mergeCriteria(before, said, rights);
  if (criteria.faults.length > 0) faults.push(...criteria.faults);
  return criteria.merged === before.acceptance_criteria
    ? merged
    : { ...merged, acceptance_criteria: criteria.merged };
}

function refuseField(
  before: Feature,
  key: SaidField,
  says: Said,
  { fields, statuses }: ListRights,
): ListFault | undefined {
  const { id } = before;
  if (isControlled(key)) {
    const why = `${key} is ${shown(says[key])}, where GuardKit has ${shown(before[key])}`;
    return fault(id, key, why, `Leave it as it is: ${WAYS[key].replace('ID', id)}`);
  }
  if (key === 'extra') return undefined;
  if (before.defined_in !== null && DEFINED_FIELDS.has(key))
    return fault(
      id,
      key,
      `${key} was changed`,
      `It is defined in ${before.defined_in}: a person changes it there.`,
    );
  if (key === 'status') {
    const status = says.status ?? before.status;
    if (statuses === 'all') return undefined;
    if (before.status === 'blocked')
      return fault(id, key, 'it is blocked', 'Only a person unblocks a feature.');
    if (statuses.includes(status)) return undefined;
    const allowed = statuses.length > 0 ? `Set it to ${statuses.join(' or ')}.` : 'Leave it as it is.';
    return fault(id, key, `${status} is not yours to set`, allowed);
  }
  if (fields === 'all' || fields.has(key)) return undefined;
  return fault(
    id,
    key,
    `${key} is not yours to change`,
    'Leave it as it is, and say in your answer what should change.',
  );
}

const WAYS = {
  tested: '`guardkit verify ID` sets it when every required gate passes.',
  evidence: 'it names what GuardKit itself ran.',
  retries: 'GuardKit counts the attempts.',
  blocked_reason: 'GuardKit writes why, and a person unblocks.',
} as const satisfies Record<(typeof CONTROLLED_FIELDS)[number], string>;

/** What a feature's own file says, where it has one. */
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
  /** The very list of before where nothing changes. */
  merged: Criteria;
  faults: ListFault[];
}

/** Criteria as the list has them now: each found again by its id or its text, and none lost by who may not. */
function mergeCriteria(
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
