import type { JsonObject } from './json.ts';

/** Fields that have another name now, by the one that they had when it was written. */
export type RenamedFields = Readonly<Record<string, string>>;

/** A body as it would be written today. One that has no field by an old name is given back as it is. */
export function withNewNames(body: JsonObject, renamed: RenamedFields | undefined): JsonObject {
  if (renamed === undefined) return body;
  for (const [old, name] of Object.entries(renamed)) {
    if (!Object.hasOwn(body, old) || Object.hasOwn(body, name)) continue;
    const { [old]: value, ...rest } = body;
    return withNewNames({ ...rest, [name]: value ?? null }, renamed);
  }
  return body;
}

/** Of what was read from JSON, so that everything in it is JSON too. */
export function isJsonObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
