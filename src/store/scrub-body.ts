import type { JsonObject } from '../domain/json.ts';
import { scrubSecrets } from '../domain/scrub-secrets.ts';

/** A copy whose declared free-text fields hold no secrets. */
export function scrubBody(body: JsonObject, freeText: readonly string[]): JsonObject {
  const scrubbed = { ...body };
  for (const field of freeText) {
    const value = scrubbed[field];
    if (value !== undefined) scrubbed[field] = scrubSecrets(value);
  }
  return scrubbed;
}
