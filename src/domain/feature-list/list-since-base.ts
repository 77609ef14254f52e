import type { Feature } from '../entities/feature.ts';
import { saidChanges } from '../json/said-changes.ts';
import type { FeatureList, ListedFeature } from './feature-list.ts';
import type { Said } from './list-fields.ts';

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
