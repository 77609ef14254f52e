import type { Feature } from '../domain/entities/feature.ts';
import { readFeatureList } from '../domain/feature-list/feature-list.ts';
import type { JsonObject, JsonValue } from '../domain/json/json.ts';
import { own } from '../domain/json/plain-shape.ts';
import type { Action } from './action.ts';

/** A feature with only those of its fields that an edit would change. */
export type ChangedFeature = JsonObject & { id: string };

/** What an edit of the list of features would change in it; undefined where it could no longer be read. */
export function changedFeatures(after: string, features: readonly Feature[]): ChangedFeature[] | undefined {
  const reading = readFeatureList(after);
  if (!reading.ok) return undefined;
  const known = new Map(features.map((feature) => [feature.id, feature]));
  return reading.list.features.flatMap(({ id, says }) => {
    const feature = known.get(id);
    const fields = Object.entries(says).filter(
      ([field, value]) =>
        field !== 'extra' &&
        value !== undefined &&
        written(value) !== written(feature && own(feature, field)),
    );
    // They were read from JSON.
    return fields.length === 0 ? [] : [{ id, ...(Object.fromEntries(fields) as Record<string, JsonValue>) }];
  });
}

/** Criteria have ids that only GuardKit gives; a list tells their words. */
function written(value: unknown): string | undefined {
  return JSON.stringify(value, (key, item: unknown) => (key === 'id' ? undefined : item));
}

/** The feature that an edit of the list is about: the first that it would change. */
export function editedFeature(action: Action, features: () => readonly Feature[]): string | undefined {
  if (action.kind !== 'edit') return undefined;
  const list = action.files.find(({ file }) => file.protectedAs === 'feature-list');
  if (list?.after === undefined) return undefined;
  return changedFeatures(list.after, features())?.[0]?.id;
}
