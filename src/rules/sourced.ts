/** A value with its origin and the values it overrode, the nearest first. */
export interface Sourced<Value> {
  value: Value;
  /** `built-in`, `system`, or a file and line such as `quality-gates.yaml:12`. */
  origin: string;
  overrode: { value: Value; origin: string }[];
}

export const BUILT_IN = 'built-in';
export const SYSTEM = 'system';

/** The value of the last layer that has one, with the values it overrode. */
export function overlay<Value>(
  layers: readonly ({ value: Value; origin: string } | undefined)[],
): Sourced<Value> | undefined {
  const present = layers.filter((layer) => layer !== undefined).reverse();
  const [top, ...below] = present;
  return (
    top && {
      value: top.value,
      origin: top.origin,
      overrode: below.map(({ value, origin }) => ({ value, origin })),
    }
  );
}
