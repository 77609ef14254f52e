import type * as z from 'zod';
import type { JsonObject } from './json.ts';

/** Whether a schema would give a value back as it is. */
type Fits = (value: unknown) => boolean;
type QuickParser = (value: unknown) => JsonObject | undefined;

const REFUSED: z.core.$ZodRawIssue = { code: 'custom', input: undefined };

const parsers = new WeakMap<z.ZodType, QuickParser>();

/**
 * What the schema gives for an object that needs no more than defaults, in a third of the time that the schema takes
 * for it: nearly every body that is written or read is such a one. Undefined says nothing but that the schema has to
 * be asked: the value does not fit, fits only after a change, or the schema has parts that are not known here.
 */
export function parseQuickly(schema: z.ZodType, value: unknown): JsonObject | undefined {
  let parser = parsers.get(schema);
  if (!parser) {
    parser = makeParser(schema) ?? (() => undefined);
    parsers.set(schema, parser);
  }
  return parser(value);
}

function makeParser(schema: z.core.$ZodType): QuickParser | undefined {
  const { def } = known(schema)._zod;
  if (checksOf(schema).length > 0) return undefined;
  if (def.type === 'pipe') {
    const before = fits(def.in);
    const parse = makeParser(def.out);
    return before && parse && ((value) => (before(value) ? parse(value) : undefined));
  }
  return def.type === 'object' ? objectParser(def) : undefined;
}

interface Field {
  key: string;
  fits: Fits;
  /** A new one at each call; left out where there is none. */
  makeDefault: (() => unknown) | undefined;
}

function objectParser(def: z.core.$ZodObjectDef): QuickParser | undefined {
  const fields = fieldsOf(def);
  if (!fields) return undefined;
  return (value) => {
    if (!isPlain(value)) return undefined;
    const result: Record<string, unknown> = {};
    let found = 0;
    for (const { key, fits, makeDefault } of fields) {
      const item: unknown = value[key];
      if (Object.hasOwn(value, key)) found += 1;
      if (item !== undefined) {
        if (!fits(item)) return undefined;
        result[key] = item;
      } else {
        if (!makeDefault) return undefined;
        result[key] = makeDefault();
      }
    }
    // Sound because every value has been held against the schema of a JSON object.
    return Object.keys(value).length === found ? (result as JsonObject) : undefined;
  };
}

/** Undefined where keys beyond these are allowed, or one of them is not known. */
function fieldsOf({ shape, catchall }: z.core.$ZodObjectDef): Field[] | undefined {
  if (!catchall || known(catchall)._zod.def.type !== 'never') return undefined;
  const fields: Field[] = [];
  for (const [key, schema] of Object.entries(shape)) {
    const fitsField = fits(schema);
    if (!fitsField || key === '__proto__') return undefined;
    const { def } = known(schema)._zod;
    fields.push({
      key,
      fits: fitsField,
      makeDefault: def.type === 'default' ? () => def.defaultValue : undefined,
    });
  }
  return fields;
}

/** Undefined for a schema that is not known here. */
function fits(schema: z.core.$ZodType): Fits | undefined {
  const fitsType = typeFits(known(schema));
  const checks = checksOf(schema);
  if (!fitsType || checks.length === 0) return fitsType;
  const plain = checks.flatMap((check) => plainCheck(check) ?? []);
  if (plain.length === checks.length) return allOf(fitsType, plain);
  return (value) => {
    if (!fitsType(value)) return false;
    const payload: z.core.ParsePayload = { value, issues: [] };
    for (const check of checks) {
      const pending = check._zod.check(payload);
      if (pending !== undefined || payload.issues.length > 0 || payload.value !== value) return false;
    }
    return true;
  };
}

/** Without a list to walk for one and two, which is what most have. */
function allOf(fitsType: Fits, [first, second, ...rest]: readonly Fits[]): Fits {
  if (!first) return fitsType;
  if (!second) return (value) => fitsType(value) && first(value);
  if (rest.length === 0) return (value) => fitsType(value) && first(value) && second(value);
  return (value) => fitsType(value) && first(value) && second(value) && rest.every((one) => one(value));
}

/** What a frequent check asks, without the messages around it. The value has the type that the check is for. */
function plainCheck(check: z.core.$ZodCheck<unknown>): Fits | undefined {
  const { def } = (check as z.core.$ZodChecks)._zod;
  switch (def.check) {
    case 'min_length':
      return (value) => lengthOf(value) >= def.minimum;
    case 'max_length':
      return (value) => lengthOf(value) <= def.maximum;
    case 'greater_than': {
      const { value: limit, inclusive } = def;
      if (!isNumber(limit)) return undefined;
      return (value) => isNumber(value) && (inclusive ? value >= limit : value > limit);
    }
    case 'less_than': {
      const { value: limit, inclusive } = def;
      if (!isNumber(limit)) return undefined;
      return (value) => isNumber(value) && (inclusive ? value <= limit : value < limit);
    }
    case 'number_format':
      return def.format === 'safeint' ? Number.isSafeInteger : undefined;
    case 'string_format': {
      const { format, pattern } = def;
      // Others ask more than their pattern.
      if (!pattern || (format !== 'regex' && format !== 'datetime')) return undefined;
      return (value) => {
        pattern.lastIndex = 0;
        return typeof value === 'string' && pattern.test(value);
      };
    }
    default:
      return undefined;
  }
}

function typeFits(schema: z.core.$ZodTypes): Fits | undefined {
  const { def } = schema._zod;
  switch (def.type) {
    case 'string':
      return def.coerce ? undefined : (value) => typeof value === 'string';
    case 'number':
      return def.coerce ? undefined : Number.isFinite;
    case 'boolean':
      return def.coerce ? undefined : (value) => typeof value === 'boolean';
    case 'enum':
    case 'literal': {
      const values: ReadonlySet<unknown> | undefined = schema._zod.values;
      return values && ((value) => values.has(value));
    }
    case 'nullable': {
      const inner = fits(def.innerType);
      return inner && ((value) => value === null || inner(value));
    }
    case 'default':
    case 'optional':
      return fits(def.innerType);
    case 'array': {
      const element = fits(def.element);
      return element && ((value) => Array.isArray(value) && value.every(element));
    }
    case 'record': {
      const key = fits(def.keyType);
      const item = fits(def.valueType);
      return key && item && ((value) => isPlain(value) && recordFits(value, key, item));
    }
    case 'object': {
      const fields = fieldsOf(def);
      return fields && ((value) => isPlain(value) && objectFits(value, fields));
    }
    case 'pipe': {
      const before = fits(def.in);
      const after = fits(def.out);
      return before && after && ((value) => before(value) && after(value));
    }
    case 'transform':
      return leaves(def.transform);
    // All of it is its check.
    case 'custom':
      return () => true;
    default:
      return undefined;
  }
}

function recordFits(value: Record<string, unknown>, key: Fits, item: Fits): boolean {
  // A key named __proto__ is dropped by the schema.
  return Object.keys(value).every((name) => name !== '__proto__' && key(name) && item(value[name]));
}

/** Only with all its keys and in their order: it would be built anew otherwise. */
function objectFits(value: Record<string, unknown>, fields: readonly Field[]): boolean {
  const keys = Object.keys(value);
  return (
    keys.length === fields.length && fields.every(({ key, fits }, at) => keys[at] === key && fits(value[key]))
  );
}

/** Whether a transformation gives a value back as it is. */
function leaves(transform: z.core.$ZodTransformDef['transform']): Fits {
  return (value) => {
    const payload: z.core.ParsePayload = { value, issues: [] };
    // Most take no more than the value; what they would refuse they tell by this.
    if (transform.length > 1) Object.assign(payload, { addIssue: () => void payload.issues.push(REFUSED) });
    return transform(value, payload) === value && payload.issues.length === 0;
  };
}

/** As the schema itself runs them: one that is a check too comes first. */
function checksOf(schema: z.core.$ZodType): z.core.$ZodCheck<unknown>[] {
  const own = schema._zod.traits.has('$ZodCheck') ? [schema] : [];
  // Sound because a check is only ever given what its schema has let through.
  return [...own, ...(schema._zod.def.checks ?? [])] as unknown as z.core.$ZodCheck<unknown>[];
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : Number.NaN;
}

function known(schema: z.core.$ZodType): z.core.$ZodTypes {
  return schema as z.core.$ZodTypes;
}

/** Of any other kind the schema takes what it likes. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;
}
