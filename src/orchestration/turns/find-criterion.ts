import {
  type Criterion,
  canonicalCriterionId,
  normalizeCriterionText,
  splitCriterionId,
} from '../../domain/criteria/criterion.ts';

/** The criterion that an agent means by a key: its id, its id and text, or a text that only one of them has. */
export function findCriterion<One extends Pick<Criterion, 'id' | 'text'>>(
  criteria: readonly One[],
  key: string,
): One | undefined {
  const byId = (id: string) =>
    criteria.find((one) => canonicalCriterionId(one.id) === canonicalCriterionId(id));
  const found = byId(key.trim());
  if (found) return found;
  const { id, text } = splitCriterionId(key.trim());
  if (id !== undefined) return byId(id);
  const wanted = normalizeCriterionText(text);
  const alike = criteria.filter((one) => normalizeCriterionText(one.text) === wanted);
  return alike.length === 1 ? alike[0] : undefined;
}
