import * as z from 'zod';
import { architectureNode, architectureNodeSchema } from '../../../../domain/entities/architecture-node.ts';
import { projectGroup } from '../../../../domain/entities/group.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const architectureRecordedSchema = z.strictObject({
  /** Only changed nodes. */
  nodes: z.array(architectureNodeSchema),
});

export type ArchitectureRecorded = z.infer<typeof architectureRecordedSchema>;

/** Changed nodes of the architecture graph. */
export const architectureRecorded = defineEntryKind<ArchitectureRecorded>({
  kind: 'architecture_recorded',
  schema: architectureRecordedSchema,
  freeText: ['nodes'],
  episodes: ({ project, at, body }) =>
    body.nodes.map((node) => ({
      group: projectGroup(project, 'architecture'),
      entity_type: architectureNode.type,
      body: node,
      source: 'ledger',
      valid_at: at,
    })),
});
