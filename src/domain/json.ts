import { createHash } from 'node:crypto';
import type { z } from 'zod';

export type JsonValue = z.infer<ReturnType<typeof z.json>>;
export type JsonObject = { [key: string]: JsonValue };

/** JSON with sorted keys: two bodies that say the same have the same text, whatever order they were built in. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    const source = inner as Record<string, unknown>;
    // A plain `{}` would treat a key named __proto__ as its prototype and drop it from the text.
    const sorted: Record<string, unknown> = Object.create(null);
    for (const key of Object.keys(source).sort()) sorted[key] = source[key];
    return sorted;
  });
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
