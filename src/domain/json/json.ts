import { hash } from 'node:crypto';
import type * as z from 'zod';

export type JsonValue = z.infer<ReturnType<typeof z.json>>;
export type JsonObject = { [key: string]: JsonValue };

/** Deeper than any sensible data, and shallow enough for recursive code. */
export const MAX_JSON_DEPTH = 500;

/** Whether JSON can represent a value, up to a sensible depth. */
export function isJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth >= MAX_JSON_DEPTH) return false;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item) => isJson(item, depth + 1));
}

/** Whether a value is nested too deeply, or is circular. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (depth >= MAX_JSON_DEPTH) return true;
  for (const item of Object.values(value)) {
    if (item !== null && typeof item === 'object' && isTooDeep(item, depth + 1)) return true;
  }
  return false;
}

/** JSON with sorted keys: equal bodies have equal text, regardless of key order. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    return isFlat(value) ? JSON.stringify(value) : `[${value.map(canonicalJson).join(',')}]`;
  }
  let text = '{';
  for (const key of sortedKeys(value)) {
    const item: unknown = Reflect.get(value, key);
    if (item === undefined) continue;
    if (text.length > 1) text += ',';
    text += keyJson(key) + (typeof item === 'object' ? canonicalJson(item) : scalarJson(item));
  }
  return `${text}}`;
}

/** The last sorted keys, since bodies of one type follow each other. */
let lastKeys: readonly string[] = [];
let lastSorted: readonly string[] = [];
const MANY_KEYS = 8;
const TOO_MANY_KEYS = 100;

function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  if (keys.length < MANY_KEYS || keys.length > TOO_MANY_KEYS) return keys.sort();
  const isLast = keys.length === lastKeys.length && keys.every((key, index) => key === lastKeys[index]);
  if (!isLast) {
    lastKeys = keys;
    lastSorted = [...keys].sort();
  }
  return lastSorted;
}

function isFlat(list: readonly unknown[]): boolean {
  return list.every((item) => item === null || typeof item !== 'object');
}

/** Same result as `JSON.stringify`, which is slow for short values. */
function scalarJson(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return JSON.stringify(value) ?? 'null';
}

const keysSeen = new Map<string, string>();
const MAX_KEYS_SEEN = 1000;

function keyJson(key: string): string {
  const known = keysSeen.get(key);
  if (known !== undefined) return known;
  if (keysSeen.size >= MAX_KEYS_SEEN) keysSeen.clear();
  const text = `${JSON.stringify(key)}:`;
  // A long key is data, not worth caching.
  if (key.length <= 100) keysSeen.set(key, text);
  return text;
}

export function sha256(text: string): string {
  return hash('sha256', text);
}

/** Up to this length any text parses within a second, so its nesting is not checked. */
const HARMLESS = 1024 * 1024;

/**
 * Whether a long JSON text is nested too deeply. Check it before parsing: millions of brackets keep the parser busy for
 * seconds.
 */
export function isNestedTooDeep(text: string): boolean {
  if (text.length <= HARMLESS) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
