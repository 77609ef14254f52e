import * as z from 'zod';
import {
  BUILT_IN_SCHEMA,
  type KnowledgeSchema,
  NODE_FIELDS,
  REQUIRED_FIELDS,
} from '../schema/knowledge-schema.ts';

export const OPERATIONS = [
  'add_node',
  'update_node',
  'remove_node',
  'rename_node',
  'add_edge',
  'remove_edge',
] as const;

/** Fields that a node can lack. */
export const OPTIONAL_FIELDS = NODE_FIELDS.filter(
  (field) => !REQUIRED_FIELDS.some((required) => required === field),
);

export const MAX_OPERATIONS = 200;

/** The parameters of one operation, with descriptions for models; `terse` omits them where they would repeat. */
export function operationShape(schema: KnowledgeSchema = BUILT_IN_SCHEMA, { terse = false } = {}) {
  const described = <Type extends z.ZodType>(type: Type, what: string): Type =>
    terse ? type : type.describe(what);
  const one = (values: readonly string[], what: string) => described(z.enum(values).optional(), what);
  const text = (what: string) => described(z.string().optional(), what);
  return {
    operation: described(z.enum(OPERATIONS), 'The operation; it decides which other parameters apply.'),
    name: text('Node operations: the node’s id in kebab-case, such as api-server.'),
    new_name: text('rename_node: the new id; edges and the `component` of other nodes are updated.'),
    type: one(schema.types, 'add_node (required), update_node: the kind of node.'),
    level: one(schema.levels, 'add_node (required), update_node: design or code.'),
    status: one(schema.statuses, 'add_node (required), update_node: whether it is in use today.'),
    description: text('add_node (required), update_node: what it is and why it exists.'),
    priority: one(schema.priorities, 'Required for nodes of type rule: its importance.'),
    tag: schema.tags ? one(schema.tags, 'A category.') : text('A category.'),
    component: text('The id of the node that contains this one.'),
    path: text('A file or folder in the repository.'),
    example: text('A code example.'),
    unset: described(z.array(z.enum(OPTIONAL_FIELDS)).optional(), 'update_node: fields to remove.'),
    from: text('Edge operations: the id of the source node.'),
    to: text('Edge operations: the id of the target node.'),
    relation: one(schema.relations, 'add_edge (required); remove_edge, if several edges match.'),
    note: text('add_edge: why this relation exists.'),
  };
}

/** The parameters of `knowledge_update`: one operation, or several in `operations`, applied all or none. */
export function knowledgeUpdateSchema(schema: KnowledgeSchema = BUILT_IN_SCHEMA) {
  const shape = operationShape(schema);
  return z.strictObject({
    ...shape,
    operation: shape.operation.optional(),
    operations: z
      .array(z.strictObject(operationShape(schema, { terse: true })))
      .max(MAX_OPERATIONS)
      .optional()
      .describe('Several operations instead of one, applied in order, all or none.'),
    dry_run: z.boolean().optional().describe('Show the change without making it.'),
  });
}

export type KnowledgeUpdateRequest = z.infer<ReturnType<typeof knowledgeUpdateSchema>>;
