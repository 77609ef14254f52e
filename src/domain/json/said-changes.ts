import type { Feature } from '../entities/feature.ts';
import type { ListField, Said, SaidCriterion } from '../feature-list/list-fields.ts';
import { canonicalJson } from './json.ts';

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
