import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from './json.ts';
import { isObject } from './plain-shape.ts';

export interface Change {
  path: string;
  before?: JsonValue;
  after?: JsonValue;
}

/** Which fields two bodies differ in; lists are compared as wholes. */
export function diffBodies(before: JsonObject, after: JsonObject, prefix = ''): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key): Change[] => {
    const path = `${prefix}${key}`;
    const [old, now] = [before[key], after[key]];
    if (isDeepStrictEqual(old, now)) return [];
    if (isObject(old) && isObject(now)) return diffBodies(old, now, `${path}.`);
    return [
      { path, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) },
    ];
  });
}
