import { createHash } from 'node:crypto';
import * as z from 'zod';

export type JsonValue = z.infer<ReturnType<typeof z.json>>;
export type JsonObject = { [key: string]: JsonValue };

/** An object as JSON has it. Not zod's own record, which drops a key named __proto__. */
export const jsonObjectSchema = z.custom<JsonObject>(
  (value) => value !== null && typeof value === 'object' && !Array.isArray(value) && isJson(value),
  'an object of JSON values is expected',
);

const MAX_VALUES = 1_000_000;

/** Walks without recursion: nesting is the writer's to choose, and the stack is not. */
function isJson(root: unknown): boolean {
  const open: unknown[] = [root];
  for (let visited = 0; open.length > 0; visited++) {
    // More than fits into the largest body, so it runs in a circle.
    if (visited > MAX_VALUES) return false;
    const value = open.pop();
    if (value === null || typeof value === 'string' || typeof value === 'boolean') continue;
    if (typeof value === 'number' && Number.isFinite(value)) continue;
    if (typeof value !== 'object') return false;
    const prototype = Object.getPrototypeOf(value);
    if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
    for (const item of Object.values(value)) open.push(item);
  }
  return true;
}

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
