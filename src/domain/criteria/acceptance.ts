import * as z from 'zod';

/** A person's word that a file is theirs as it stands, though a candidate or an uncommitted change brought it. */
export const acceptanceSchema = z.strictObject({
  path: z.string().min(1),
  /** Of the file's content when it was accepted; null accepts that it is gone. */
  digest: z.string().nullable(),
  reason: z.string(),
  by: z.string().min(1),
});

export type Acceptance = z.infer<typeof acceptanceSchema>;
