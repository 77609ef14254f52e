import { createHash } from 'node:crypto';
import * as z from 'zod';

export type JsonValue = z.infer<ReturnType<typeof z.json>>;
export type JsonObject = { [key: string]: JsonValue };

/** Deeper than anything that means something, and shallower than what ends the stack of those who walk it. */
export const MAX_JSON_DEPTH = 500;

/** An object as JSON has it. Not zod's own record, which drops a key named __proto__. */
export const jsonObjectSchema = z.custom<JsonObject>(
  (value) => value !== null && typeof value === 'object' && !Array.isArray(value) && isJson(value),
  'an object of JSON values is expected',
);

/** Whether a value is what JSON can hold, to a sensible depth. */
export function isJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth >= MAX_JSON_DEPTH) return false;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item) => isJson(item, depth + 1));
}

/** Whether a value is nested deeper than is sensible, or without end. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (value === null || typeof value !== 'object') return false;
  return depth >= MAX_JSON_DEPTH || Object.values(value).some((item) => isTooDeep(item, depth + 1));
}

/** JSON with sorted keys: two bodies that say the same have the same text, whatever order they were built in. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const parts: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const item: unknown = Reflect.get(value, key);
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`);
  }
  return `{${parts.join(',')}}`;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
