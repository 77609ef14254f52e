import * as z from 'zod';
import { refSafeIdSchema } from '../../../domain/entities/task.ts';

/** A text that goes into one line of a file. */
export function oneLineText(max: number) {
  return z
    .string()
    .trim()
    .min(1, 'a text is expected')
    .max(max, `at most ${max} characters are expected`)
    .refine((text) => !/\p{Cc}|\u2028|\u2029/u.test(text), 'one line without control characters is expected')
    .transform((text) => text.toWellFormed());
}

/** An id that begins like the files it is found in. */
export function prefixedId(prefix: string) {
  return refSafeIdSchema.refine(
    (id) => id.startsWith(prefix) && id.length > prefix.length,
    `an id that begins with ${prefix} is expected`,
  );
}
