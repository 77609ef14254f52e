import * as z from 'zod';

const text = z.string();
const change = z.enum(['added', 'changed', 'removed']);

const faultSchema = z.object({ code: text, message: text, line: z.int().nullable() });

export const architectureSchema = z.object({
  /** Null if the project has no graph, or it cannot be read. */
  graph: z
    .object({
      nodes: z.array(
        z.object({
          id: text,
          type: text.nullable(),
          status: text.nullable(),
          description: text,
          change: change.nullable(),
        }),
      ),
      edges: z.int(),
    })
    .nullable(),
  /** SVG, to be shown as an image only. */
  picture: text.nullable(),
  why_no_picture: text.nullable(),
  faults: z.array(faultSchema),
  warnings: z.array(faultSchema),
  /** The commit that the colours compare with. */
  compared_with: text.nullable(),
  /** Commits that changed the graph, the newest first. */
  history: z.array(z.object({ commit: text, at: text, by: text, subject: text })),
});
export type ArchitectureAnswer = z.infer<typeof architectureSchema>;
