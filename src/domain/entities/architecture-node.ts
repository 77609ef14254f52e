import * as z from 'zod';
import { sha256 } from '../json/json.ts';
import { defineEntity, isEntityId } from './entity-type.ts';

/** A node of the architecture graph as a change left it. */
export const architectureNodeSchema = z.strictObject({
  node: z.string().min(1).max(256),
  /** False after it was removed from the graph. */
  present: z.boolean(),
  type: z.string().nullable(),
  status: z.string().nullable(),
  /** Its other attributes. */
  fields: z.record(z.string(), z.string()),
  /** Outgoing edges, as `relation node`. */
  edges: z.array(z.string()),
  /** A short description of the change. */
  changed_by: z.string().min(1),
  /** The turn that changed it, if any. */
  turn: z.string().nullable(),
});

export type ArchitectureNodeEpisode = z.infer<typeof architectureNodeSchema>;

/** Prefixed, so that no node can pass for another architecture entity. */
export function architectureNodeId(node: string): string {
  return `NODE-${isEntityId(`NODE-${node}`) ? node : sha256(node).slice(0, 32)}`;
}

export const architectureNode = defineEntity<ArchitectureNodeEpisode>({
  type: 'architecture_node',
  groups: ['architecture'],
  schema: architectureNodeSchema,
  id: ({ node }) => architectureNodeId(node),
  name: ({ node, present }) => (present ? node : `${node} (removed)`),
  text: (body) =>
    [
      `architecture_node ${body.node}: ${body.present ? (body.type ?? 'node') : 'removed'}${body.status === null ? '' : `, ${body.status}`}`,
      ...Object.entries(body.fields).map(([name, value]) => `${name}: ${value}`),
      ...body.edges,
    ].join('\n'),
  indexed: ['node', 'type', 'status'],
  freeText: ['fields', 'edges'],
  relations: ({ turn }) => (turn === null ? [] : [{ relation: 'changed_by', to: turn }]),
});
