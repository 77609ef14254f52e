import * as z from 'zod';

/** An option that is a count: plain digits, since `1e3` or an empty text is rather a slip than a wish. */
export function wholeNumber(max: number, fallback: number) {
  const expected = `a whole number from 1 to ${max} is expected`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, expected)
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, expected)
    .default(fallback);
}
