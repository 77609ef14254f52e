import * as z from 'zod';

const MAX_LENGTH = 80;
const FORM = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The id of a feature or a task: part of file names, git refs and other ids. */
export const workIdSchema = z
  .string()
  .max(MAX_LENGTH)
  .regex(FORM, 'an id is letters, digits and . _ - and begins with a letter or digit');

/** The same question without an answer for people: lists have thousands of them. */
export function isWorkId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && FORM.test(value);
}

/** An id is part of a git ref too, which knows no `..` and ends in no `.` or `.lock`. */
export function fitsGitRef(id: string): boolean {
  return !id.includes('..') && !id.endsWith('.') && !id.toLowerCase().endsWith('.lock');
}

/** The id of a turn, whatever else is known of it. */
export function turnStateId(feature: string, task: string, turn: number): string {
  return `TURN-${feature}-${task}-T${turn}`;
}
