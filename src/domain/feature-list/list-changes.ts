import type { Feature } from '../entities/feature.ts';
import { canonicalJson } from '../json/json.ts';
import type { FeatureList, ListedFeature } from './feature-list.ts';
import type { ListedCriterion, ListedFields, ListField } from './list-fields.ts';

export type ChangedField = ListField | 'extra';

/** The fields whose value in a list differs from the feature's. */
export function changedFields(feature: Feature, values: ListedFields): ChangedField[] {
  const changed: ChangedField[] = [];
  for (const key of Object.keys(values) as ChangedField[]) {
    if (key === 'acceptance_criteria') {
      if (values[key] && !isSameCriteria(feature[key], values[key])) changed.push(key);
    } else if (!isSame(feature[key], values[key])) changed.push(key);
  }
  return changed;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  return isEmpty(one) && isEmpty(other) ? true : canonicalJson(one) === canonicalJson(other);
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return !Array.isArray(value);
}

/** Same order, same texts, and the same ids if written. */
export function isSameCriteria(
  before: Feature['acceptance_criteria'],
  said: readonly ListedCriterion[],
): boolean {
  return (
    before.length === said.length &&
    before.every(({ id, text }, index) => {
      const one = said[index];
      return one !== undefined && one.text === text && (one.id === undefined || one.id === id);
    })
  );
}

export interface SinceBase {
  /** Features that the list had or has; the others are out of its editor's view. */
  before: Feature[];
  /** Only the editor's changes. */
  after: FeatureList;
}

/**
 * The editor's changes of a list that was written from older features: values still as written are not changes, even if
 * the features differ by now.
 */
export function listSinceBase(
  base: readonly Feature[],
  list: FeatureList,
  current: readonly Feature[],
): SinceBase {
  const written = new Map(base.map((one) => [one.id, one]));
  const known = new Set(current.map(({ id }) => id));
  const listed = new Set(list.features.map(({ id }) => id));
  return {
    before: current.filter(({ id }) => written.has(id) || listed.has(id)),
    after: {
      ...list,
      features: list.features.flatMap((one) => {
        const was = written.get(one.id);
        if (!was) return [one];
        // Removed by a person since then.
        return known.has(one.id) ? [onlyChanges(was, one)] : [];
      }),
    },
  };
}

function onlyChanges(was: Feature, { id, values }: ListedFeature): ListedFeature {
  const changed: Record<string, unknown> = {};
  for (const field of changedFields(was, values)) changed[field] = values[field];
  if (values.acceptance_criteria !== undefined) changed.acceptance_criteria ??= null;
  // Sound because each field is copied under its own name.
  return { id, values: changed as ListedFields };
}
