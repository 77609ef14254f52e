import * as z from 'zod';
import { GuardKitError } from '../guardkit-error.ts';

/**
 * A point in time as UTC with milliseconds, always 24 characters: text order is time order.
 * Other ISO 8601 offsets are accepted and converted.
 */
export const timestampSchema = z.iso
  .datetime({ offset: true, error: 'expected an ISO 8601 time such as 2026-11-15T09:30:00Z' })
  // In UTC with milliseconds this length is unique, so no conversion is needed.
  .transform((text) => (text.length === 24 && text.endsWith('Z') ? text : new Date(text).toISOString()))
  // An offset can push a time into a six-digit year.
  .refine((text) => text.length === 24, 'expected a time between the years 0000 and 9999');

export function isTimestamp(text: string): boolean {
  return timestampSchema.safeParse(text).success;
}

/** Reads a full ISO time, or a date, which means midnight UTC. */
export function parseTimestamp(text: string): string {
  const candidate = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  const parsed = timestampSchema.safeParse(candidate);
  if (parsed.success) return parsed.data;
  throw new GuardKitError({
    code: 'time.format',
    kind: 'input',
    message: `"${text.slice(0, 60)}" is not a valid time.`,
    hint: 'Use an ISO 8601 time with a zone, such as 2026-11-15T09:30:00Z, or a date such as 2026-11-15.',
  });
}
