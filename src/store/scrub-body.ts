import type { JsonObject } from '../domain/json/json.ts';
import { scrubSecrets } from '../domain/secrets/scrub-secrets.ts';

/** Returns the same body if its free-text fields contain no secrets, else a scrubbed copy. */
export function scrubBody(body: JsonObject, freeText: readonly string[]): JsonObject {
  let scrubbed = body;
  for (const field of freeText) {
    const value = body[field];
    if (value === undefined) continue;
    const clean = scrubSecrets(value);
    if (clean !== value) scrubbed = { ...scrubbed, [field]: clean };
  }
  return scrubbed;
}
