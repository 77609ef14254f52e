import { z } from 'zod';
import { isProjectId } from '../domain/group.ts';

/** `.guardkit/config.yaml`. */
export const projectConfigSchema = z.strictObject({
  project: z
    .string()
    .refine(isProjectId, 'a project id is letters, digits, . and -, or single _ between them')
    .optional(),
  store: z
    .strictObject({ url: z.string().regex(/^postgres(?:ql)?:\/\//, 'a postgres:// address is expected') })
    .optional(),
  embeddings: z
    .strictObject({ baseUrl: z.url({ protocol: /^https?$/ }), model: z.string().min(1) })
    .optional(),
});

export type ProjectConfig = z.infer<typeof projectConfigSchema>;
