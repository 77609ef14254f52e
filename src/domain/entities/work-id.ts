import * as z from 'zod';

const MAX_LENGTH = 80;
const FORM = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The id of a feature or task, used in file names, git refs and other ids. */
export const workIdSchema = z
  .string()
  .max(MAX_LENGTH)
  .regex(FORM, 'an id must be letters, digits or . _ -, starting with a letter or digit');

/** The same check without an error message: lists have thousands of ids. */
export function isWorkId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && FORM.test(value);
}

/** Git refs must not contain `..` or end in `.` or `.lock`. */
export function fitsGitRef(id: string): boolean {
  return !id.includes('..') && !id.endsWith('.') && !id.toLowerCase().endsWith('.lock');
}

export function turnStateId(feature: string, task: string, turn: number): string {
  return `TURN-${feature}-${task}-T${turn}`;
}
