import * as z from 'zod';
import { isJson, type JsonObject } from './json.ts';
import { isObject } from './plain-shape.ts';

// Apart from json.ts, which every hook loads: schemas take long to load.

/** Not zod's own record, which drops a key named __proto__. */
export const jsonObjectSchema = z.custom<JsonObject>(
  (value) => isObject(value) && isJson(value),
  'expected an object of JSON values',
);
