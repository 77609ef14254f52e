import * as z from 'zod';
import { MAX_CRITERION_TEXT } from '../../../domain/criteria/criterion.ts';
import { workIdSchema } from '../../../domain/entities/work-id.ts';
import { FIELD_READERS, type ListField } from '../../../domain/feature-list/list-fields.ts';
import { oneLineText } from '../task/one-line-text.ts';

type Read<Field extends ListField> = NonNullable<ReturnType<(typeof FIELD_READERS)[Field]['read']>>;

/** An option that is read as the same field of the list is. */
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

/** As texts; ids are taken off them where the list takes them off, too. */
export const criteria = z
  .array(oneLineText(MAX_CRITERION_TEXT))
  .default([])
  .transform((texts, issues) => {
    const read = FIELD_READERS.acceptance_criteria.read(texts);
    if (read) return read;
    issues.addIssue({ code: 'custom', message: `expected ${FIELD_READERS.acceptance_criteria.expected}` });
    return z.NEVER;
  });
