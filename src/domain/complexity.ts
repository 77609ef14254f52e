import * as z from 'zod';

export const MIN_COMPLEXITY = 1;
export const MAX_COMPLEXITY = 10;

export const complexitySchema = z.int().min(MIN_COMPLEXITY).max(MAX_COMPLEXITY);

/** Inclusive at both ends. */
export const complexityRangeSchema = z
  .tuple([complexitySchema, complexitySchema])
  .refine(([low, high]) => low <= high, 'the range must be [low, high] with low ≤ high');

export type ComplexityRange = z.infer<typeof complexityRangeSchema>;
