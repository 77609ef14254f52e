import { canonicalCriterionId, normalizeCriterionText } from '../../../domain/criteria/criterion.ts';
import type { ListedCriterion } from '../../../domain/feature-list/list-fields.ts';

/** A step that is taken twice is one criterion; an id that another has already is none. */
export function withoutRepeats(criteria: readonly ListedCriterion[]): ListedCriterion[] {
  const texts = new Set<string>();
  const ids = new Set<string>();
  return criteria.flatMap(({ id, text }) => {
    const normal = normalizeCriterionText(text);
    if (texts.has(normal)) return [];
    texts.add(normal);
    const canonical = id === undefined ? undefined : canonicalCriterionId(id);
    if (id === undefined || canonical === undefined || ids.has(canonical)) return [{ text }];
    ids.add(canonical);
    return [{ id, text }];
  });
}
