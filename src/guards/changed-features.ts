import type { Feature } from '../domain/entities/feature.ts';
import { readFeatureList } from '../domain/feature-list/feature-list.ts';
import type { JsonObject, JsonValue } from '../domain/json/json.ts';
import { own } from '../domain/json/plain-shape.ts';
import type { Action } from './action.ts';

/** A feature with only those of its fields that an edit would change. */
export type ChangedFeature = JsonObject & { id: string };

/** The features that an edit of the feature list would change; undefined if the result cannot be read. */
export function changedFeatures(after: string, features: readonly Feature[]): ChangedFeature[] | undefined {
  const reading = readFeatureList(after);
  if (!reading.ok) return undefined;
  const known = new Map(features.map((feature) => [feature.id, feature]));
  return reading.list.features.flatMap(({ id, values }) => {
    const feature = known.get(id);
    const fields = Object.entries(values).filter(
      ([field, value]) =>
        field !== 'extra' &&
        value !== undefined &&
        written(value) !== written(feature && own(feature, field)),
    );
    // Safe cast: the values were read from JSON.
    return fields.length === 0 ? [] : [{ id, ...(Object.fromEntries(fields) as Record<string, JsonValue>) }];
  });
}

/** Ignores the ids of criteria, which only GuardKit assigns and the list does not contain. */
function written(value: unknown): string | undefined {
  return JSON.stringify(value, (key, item: unknown) => (key === 'id' ? undefined : item));
}

/** The first feature that an edit of the list would change. */
export function editedFeature(action: Action, features: () => readonly Feature[]): string | undefined {
  if (action.kind !== 'edit') return undefined;
  const list = action.files.find(({ file }) => file.protectedAs === 'feature-list');
  if (list?.after === undefined) return undefined;
  return changedFeatures(list.after, features())?.[0]?.id;
}
