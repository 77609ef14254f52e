import * as z from 'zod';

/** A count with a default. Do not add `.optional()` to it: zod would still apply the default. */
export function wholeNumber(max: number, fallback: number) {
  return optionalWholeNumber(max).unwrap().default(fallback);
}

/** A count: only plain digits, because `1e3` or an empty text is likely a mistake. */
export function optionalWholeNumber(max: number) {
  const expected = `expected a whole number from 1 to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, expected)
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, expected)
    .optional();
}
