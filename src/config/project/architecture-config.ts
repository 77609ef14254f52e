import * as z from 'zod';

const word = z
  .string()
  .max(60)
  .regex(
    /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/,
    'small letters and digits are expected, with single - or _ between',
  );

/** What a project's architecture graph may say beside what is built in. */
export const architectureSchema = z.strictObject({
  types: z.array(word).optional(),
  relations: z.array(word).optional(),
  /** Named here, only these are legal. */
  tags: z.array(word).optional(),
});

export type ArchitectureConfig = z.infer<typeof architectureSchema>;
