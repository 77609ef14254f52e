/** Neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/**
 * Checks without zod, for code that runs at every step of an agent: loading zod takes longer than the rest of a hook.
 * Nothing is converted, and unknown keys are allowed.
 */
export type Fits<Value> = (value: unknown) => value is Value;

type Fitting<Check> = Check extends Fits<infer Value> ? Value : never;

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

export function isAnything(_value: unknown): _value is unknown {
  return true;
}

export function isTextOf(least: number, most = Number.POSITIVE_INFINITY): Fits<string> {
  return (value): value is string => isText(value) && value.length >= least && value.length <= most;
}

export function isOneOf<const Value extends string>(values: readonly Value[]): Fits<Value> {
  return (value): value is Value => isText(value) && (values as readonly string[]).includes(value);
}

export function orNull<Value>(fits: Fits<Value>): Fits<Value | null> {
  return (value): value is Value | null => value === null || fits(value);
}

export function orNothing<Value>(fits: Fits<Value>): Fits<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || fits(value);
}

export function isListOf<Value>(fits: Fits<Value>): Fits<Value[]> {
  return (value): value is Value[] => Array.isArray(value) && value.every(fits);
}

/** Any keys; every value must fit. */
export function isTableOf<Value>(fits: Fits<Value>): Fits<Record<string, Value>> {
  return (value): value is Record<string, Value> => isObject(value) && Object.values(value).every(fits);
}

/** Reads own keys only; a missing key is checked as undefined. */
export function isShape<Checks extends Readonly<Record<string, Fits<unknown>>>>(
  checks: Checks,
): Fits<{ [Key in keyof Checks]: Fitting<Checks[Key]> }> {
  const members = Object.entries(checks);
  return (value): value is { [Key in keyof Checks]: Fitting<Checks[Key]> } =>
    isObject(value) &&
    members.every(([key, fits]) => fits(Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined));
}

/** A property of the object itself, never an inherited one. */
export function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
