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

/** Fields that a node may also be without. */
export const OPTIONAL_FIELDS = NODE_FIELDS.filter(
  (field) => !REQUIRED_FIELDS.some((required) => required === field),
);

export const MAX_OPERATIONS = 200;

/** The parameters of one operation: this is what a model reads to know how to call. What it has read need not be said twice. */
export function operationShape(schema: KnowledgeSchema = BUILT_IN_SCHEMA, { terse = false } = {}) {
  const said = <Type extends z.ZodType>(type: Type, what: string): Type =>
    terse ? type : type.describe(what);
  const one = (values: readonly string[], what: string) => said(z.enum(values).optional(), what);
  const text = (what: string) => said(z.string().optional(), what);
  return {
    operation: said(z.enum(OPERATIONS), 'What to do; all other parameters depend on it.'),
    name: text('Node operations: the id of the node, in kebab-case, such as api-server.'),
    new_name: text('rename_node: the new id; edges and the component of other nodes follow.'),
    type: one(schema.types, 'add_node (required), update_node: what kind of thing it is.'),
    level: one(schema.levels, 'add_node (required), update_node: whether it is design or code.'),
    status: one(schema.statuses, 'add_node (required), update_node: whether it holds today.'),
    description: text('add_node (required), update_node: what it is and why, for people.'),
    priority: one(schema.priorities, 'Required for nodes of type rule: how much it matters.'),
    tag: schema.tags ? one(schema.tags, 'A category.') : text('A category.'),
    component: text('The id of the node that this one is a part of.'),
    path: text('A file or folder in the repository.'),
    example: text('An example in code.'),
    unset: said(z.array(z.enum(OPTIONAL_FIELDS)).optional(), 'update_node: fields to take away.'),
    from: text('Edge operations: the id of the node that the edge comes from.'),
    to: text('Edge operations: the id of the node that the edge leads to.'),
    relation: one(schema.relations, 'add_edge (required); remove_edge, where there are several.'),
    note: text('add_edge: a remark on why this relation holds.'),
  };
}

/** The parameters of `knowledge_update`: one operation, or several in `operations`, of which all are made or none. */
export function knowledgeUpdateSchema(schema: KnowledgeSchema = BUILT_IN_SCHEMA) {
  const shape = operationShape(schema);
  return z.strictObject({
    ...shape,
    operation: shape.operation.optional(),
    operations: z
      .array(z.strictObject(operationShape(schema, { terse: true })))
      .max(MAX_OPERATIONS)
      .optional()
      .describe('Several operations at once, in their order, instead of one: all of them are made or none.'),
    dry_run: z.boolean().optional().describe('Only tell what would change.'),
  });
}

export type KnowledgeUpdateRequest = z.infer<ReturnType<typeof knowledgeUpdateSchema>>;
