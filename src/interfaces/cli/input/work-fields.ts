import * as z from 'zod';
import { MAX_CRITERION_TEXT } from '../../../domain/criteria/criterion.ts';
import { refSafeIdSchema } from '../../../domain/entities/task.ts';
import { workIdSchema } from '../../../domain/entities/work-id.ts';
import { FIELD_READERS, type ListField } from '../../../domain/feature-list/list-fields.ts';

/** A text for one line of a file. */
export function oneLineText(max: number) {
  return z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max, `expected at most ${max} characters`)
    .refine((text) => !/\p{Cc}|\u2028|\u2029/u.test(text), 'expected one line without control characters')
    .transform((text) => text.toWellFormed());
}

/** An id with the prefix of its file name. */
export function prefixedId(prefix: string) {
  return refSafeIdSchema.refine(
    (id) => id.startsWith(prefix) && id.length > prefix.length,
    `expected an id that starts with ${prefix}`,
  );
}

type Read<Field extends ListField> = NonNullable<ReturnType<(typeof FIELD_READERS)[Field]['read']>>;

/** An option, parsed like the same field of the feature list. */
export function listField<Field extends ListField>(field: Field) {
  const { read, expected } = FIELD_READERS[field];
  return z.string().transform((written, issues): Read<Field> => {
    const isNumber = field === 'complexity' && /^[0-9]{1,9}$/.test(written);
    const value = read(isNumber ? Number(written) : written.toWellFormed());
    if (value !== undefined && value !== null) return value as Read<Field>;
    issues.addIssue({ code: 'custom', message: `expected ${expected}` });
    return z.NEVER;
  });
}

export const ids = z.array(workIdSchema).max(100).default([]);

/** Texts; ids are split off as in the feature list. */
export const criteria = z
  .array(oneLineText(MAX_CRITERION_TEXT))
  .default([])
  .transform((texts, issues) => {
    const read = FIELD_READERS.acceptance_criteria.read(texts);
    if (read) return read;
    issues.addIssue({ code: 'custom', message: `expected ${FIELD_READERS.acceptance_criteria.expected}` });
    return z.NEVER;
  });
