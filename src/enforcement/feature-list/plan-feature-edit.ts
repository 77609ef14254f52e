import { canonicalCriterionId, normalizeCriterionText } from '../../domain/criteria/criterion.ts';
import { findCycles } from '../../domain/dependencies.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import type { ListedFeature, ListFault } from '../../domain/feature-list/feature-list.ts';
import { judgeListChange } from '../../domain/feature-list/judge-list-change.ts';
import type { ListedCriterion, ListedFields } from '../../domain/feature-list/list-fields.ts';
import type { ListEditor } from '../../domain/feature-list/list-rights.ts';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import type { NewEntry } from '../../store/ledger/ledger.ts';
import type { ImportedFeatures } from './import/imported-features.ts';

/** The changes that a command would make to the current features. */
export type PlannedEdit =
  | { ok: true; changed: readonly Feature[]; removed: readonly string[]; entries?: readonly NewEntry[] }
  | { ok: false; faults: readonly ListFault[] };

/** A requested change, to be judged by the editor's rights. */
interface AskedEdit {
  /** The current versions of the features to change. */
  before: readonly Feature[];
  after: readonly ListedFeature[];
  editor: ListEditor;
  /** Ids that are used by tasks. */
  taken?: ReadonlySet<string>;
}

/** Judges like an edit of the list, but all or nothing: one fault rejects the whole change. */
export function planListEdit(
  current: readonly Feature[],
  { before, after, editor, taken = new Set() }: AskedEdit,
): PlannedEdit {
  const known = new Set([...current.map(({ id }) => id), ...taken]);
  const list = { features: [...after], extra: {}, faults: [] };
  const { faults, changed, removed } = judgeListChange(before, list, editor, known);
  const found = [...faults, ...cycleFaults(current, changed)];
  return found.length > 0 ? { ok: false, faults: found } : { ok: true, changed, removed };
}

export function noSuchFeature(current: readonly Feature[], id: string): ListFault {
  const near = nearestWord(
    id,
    current.map((one) => one.id),
  );
  return {
    feature: id,
    field: 'id',
    why: 'no such feature',
    guidance: `Run \`guardkit feature list\` to see all.${didYouMean(near)}`,
  };
}

/** Only new cycles: an existing one must not block the edit that fixes it. */
function cycleFaults(current: readonly Feature[], changed: readonly Feature[]): ListFault[] {
  const before = new Map(current.map((one) => [one.id, one]));
  const further = changed.filter(
    ({ id, dependencies }) => !dependencies.every((other) => before.get(id)?.dependencies.includes(other)),
  );
  if (further.length === 0) return [];
  const all = new Map([...before, ...changed.map((one) => [one.id, one] as const)]);
  const ids = new Set(further.map(({ id }) => id));
  return findCycles([...all.values()])
    .filter((path) => path.some((id) => ids.has(id)))
    .map((path) => ({
      feature: path.find((id) => ids.has(id)) ?? '',
      field: 'dependencies',
      why: `it would depend on itself (${path.slice(0, 8).join(' → ')})`,
      guidance: 'Omit one of these dependencies.',
    }));
}

/** Dependencies that do not exist yet, one line each. */
export function describeMissing(current: readonly Feature[], changed: readonly Feature[]): string[] {
  const known = new Set([...current, ...changed].map(({ id }) => id));
  return changed.flatMap(({ id, dependencies }) =>
    dependencies
      .filter((other) => !known.has(other))
      .map((other) => `${id} depends on ${other}, which does not exist yet.`),
  );
}

export interface FeatureEdit {
  /** New values. */
  values: Omit<ListedFields, 'acceptance_criteria' | 'dependencies' | 'extra'>;
  criteriaAdded: readonly ListedCriterion[];
  /** Ids. */
  criteriaRemoved: readonly string[];
  dependenciesAdded: readonly string[];
  dependenciesRemoved: readonly string[];
  /** Remove the feature. */
  remove: boolean;
}

/** Changes one feature, within the editor's rights. */
export function planFeatureEdit(
  current: readonly Feature[],
  id: string,
  edit: FeatureEdit,
  editor: ListEditor,
): PlannedEdit {
  const before = current.find((one) => one.id === id);
  if (!before) return { ok: false, faults: [noSuchFeature(current, id)] };
  if (edit.remove) return planListEdit(current, { before: [before], after: [], editor });
  if (before.status === 'blocked' && edit.values.status !== undefined && edit.values.status !== 'blocked') {
    const guidance = `Only a person may unblock it: \`guardkit feature unblock ${id} --reason TEXT\`.`;
    return refuse(id, 'status', 'it is blocked', guidance);
  }
  const missing = missingParts(before, edit);
  if (missing) return missing;
  const gone = new Set(edit.criteriaRemoved.map(canonicalCriterionId));
  const dependencies = before.dependencies.filter((one) => !edit.dependenciesRemoved.includes(one));
  const values: ListedFields = {
    ...edit.values,
    dependencies: [...new Set([...dependencies, ...edit.dependenciesAdded])],
    acceptance_criteria: [
      ...before.acceptance_criteria.filter((one) => !gone.has(canonicalCriterionId(one.id))),
      ...edit.criteriaAdded,
    ],
  };
  return planListEdit(current, { before: [before], after: [{ id, values }], editor });
}

/** Parts to remove must exist, and parts to add must not: a typo would otherwise look like success. */
function missingParts(before: Feature, edit: FeatureEdit): PlannedEdit | undefined {
  const { id, acceptance_criteria: criteria, dependencies } = before;
  const has = new Set(criteria.map((one) => canonicalCriterionId(one.id)));
  const criterion = edit.criteriaRemoved.find((one) => !has.has(canonicalCriterionId(one)));
  const guidance = `Run \`guardkit feature show ${id}\` to see its criteria and dependencies.`;
  if (criterion !== undefined)
    return refuse(id, 'acceptance_criteria', `it has no criterion ${criterion}`, guidance);
  const dependency = edit.dependenciesRemoved.find((one) => !dependencies.includes(one));
  if (dependency !== undefined)
    return refuse(id, 'dependencies', `it does not depend on ${dependency}`, guidance);
  // A second criterion with the same id would count as a rewording.
  const twice = criteria.find(({ id: own, text }) =>
    edit.criteriaAdded.some((one) =>
      one.id === undefined
        ? normalizeCriterionText(one.text) === normalizeCriterionText(text)
        : canonicalCriterionId(one.id) === canonicalCriterionId(own),
    ),
  );
  return twice && refuse(id, 'acceptance_criteria', `it already has the criterion ${twice.id}`, guidance);
}

function refuse(feature: string, field: string, why: string, guidance: string): PlannedEdit {
  const fault: ListFault = { feature, field, why, guidance };
  return { ok: false, faults: [fault] };
}

interface Addition {
  /** Undefined for the next free one. */
  id: string | undefined;
  values: ListedFields;
}

/** Adds one feature to the list. `taken` are ids of tasks. */
export function planAddition(
  current: readonly Feature[],
  taken: ReadonlySet<string>,
  { id = nextId([...current.map((one) => one.id), ...taken]), values }: Addition,
  editor: ListEditor,
): PlannedEdit {
  if (taken.has(id) || current.some((one) => one.id === id)) {
    const guidance = 'Choose another id, or omit it to get the next free one.';
    return { ok: false, faults: [{ feature: id, field: 'id', why: 'this id is taken', guidance }] };
  }
  return planListEdit(current, { before: [], after: [{ id, values }], editor, taken });
}

/** `F001`, or the number after the highest one in use. */
function nextId(used: readonly string[]): string {
  const numbers = used.flatMap((id) => /^f(\d{1,9})$/i.exec(id)?.[1] ?? []).map(Number);
  const next = numbers.reduce((most, one) => Math.max(most, one), 0) + 1;
  return `F${String(next).padStart(3, '0')}`;
}

interface Unblock {
  id: string;
  by: string;
  reason: string;
  /** After this many failed attempts a feature is skipped, regardless of its status. */
  maxAttempts: number;
}

/** Lets a feature be tried again and resets its attempts; the entry keeps why it was blocked. */
export function planUnblock(
  current: readonly Feature[],
  { id, by, reason, maxAttempts }: Unblock,
): PlannedEdit {
  const found = current.find((one) => one.id === id);
  const refuse = (why: string, guidance: string): PlannedEdit => ({
    ok: false,
    faults: [{ feature: id, field: 'status', why, guidance }],
  });
  if (!found) return { ok: false, faults: [noSuchFeature(current, id)] };
  const { status, retries, blocked_reason } = found;
  if (status !== 'blocked' && blocked_reason === null && retries < maxAttempts)
    return refuse(
      `it is ${status.replace('_', ' ')}, not blocked`,
      'Run `guardkit feature next` to see what is next.',
    );
  return {
    ok: true,
    changed: [{ ...found, status: 'pending', blocked_reason: null, retries: 0 }],
    removed: [],
    entries: [{ kind: 'feature_unblocked', body: { feature_id: id, by, reason, retries, blocked_reason } }],
  };
}

/** Adds new features. Known ones stay unchanged. */
export function planImport(
  current: readonly Feature[],
  taken: ReadonlySet<string>,
  { features, faults }: ImportedFeatures,
  editor: ListEditor,
): PlannedEdit {
  if (faults.length > 0) return { ok: false, faults };
  const known = new Set(current.map(({ id }) => id));
  const tasks = features.filter(({ id }) => taken.has(id));
  if (tasks.length > 0)
    return {
      ok: false,
      faults: tasks.map(({ id }) => ({
        feature: id,
        field: 'id',
        why: 'a task has this id',
        guidance: 'Give the feature another id.',
      })),
    };
  const after = features.filter(({ id }) => !known.has(id));
  return planListEdit(current, { before: [], after, editor });
}
