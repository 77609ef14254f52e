import type { Feature } from '../entities/feature.ts';
import { canonicalJson } from '../json/json.ts';
import type { FeatureList, ListedFeature } from './feature-list.ts';
import type { ListField, Said, SaidCriterion } from './list-fields.ts';

export type SaidField = ListField | 'extra';

/** The fields of which a list says something else than a feature has. */
export function saidChanges(feature: Feature, says: Said): SaidField[] {
  const changed: SaidField[] = [];
  for (const key of Object.keys(says) as SaidField[]) {
    if (key === 'acceptance_criteria') {
      if (says[key] && !isSameCriteria(feature[key], says[key])) changed.push(key);
    } else if (!isSame(feature[key], says[key])) changed.push(key);
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

/** In the same order, and each by its text and the id that it says. */
export function isSameCriteria(
  before: Feature['acceptance_criteria'],
  said: readonly SaidCriterion[],
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
  /** Features that the list had, or has now: the others are none of its editor's business. */
  before: Feature[];
  /** What its editor changed, and only that. */
  after: FeatureList;
}

/**
 * What somebody changed in a list that was written from older features than there are now: what the list says as it was
 * written is nobody's change, though it differs by now.
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
        // Gone since, by a person's word.
        return known.has(one.id) ? [onlyChanges(was, one)] : [];
      }),
    },
  };
}

function onlyChanges(was: Feature, { id, says }: ListedFeature): ListedFeature {
  const changed: Record<string, unknown> = {};
  for (const field of saidChanges(was, says)) changed[field] = says[field];
  if (says.acceptance_criteria !== undefined) changed.acceptance_criteria ??= null;
  // Sound because every field is the one of its own name.
  return { id, says: changed as Said };
}
