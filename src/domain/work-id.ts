import * as z from 'zod';

/** The id of a feature or a task: part of file names, git refs and other ids. */
export const workIdSchema = z
  .string()
  .max(80)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'an id is letters, digits and . _ - and begins with a letter or digit',
  );
