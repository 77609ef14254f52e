import * as z from 'zod';

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  propertyNames?: { enum?: string[] };
}

/** Cached: a file may have thousands of unknown keys. */
const trees = new WeakMap<z.ZodType, SchemaNode>();

function treeOf(schema: z.ZodType): SchemaNode {
  const known = trees.get(schema);
  if (known) return known;
  const tree = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as SchemaNode;
  trees.set(schema, tree);
  return tree;
}

/** The known keys of a schema at a path, for suggestions. */
export function legalKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let node: SchemaNode | undefined = treeOf(schema);
  for (const key of path) node = node && step(mapping(node), key);
  const found = node && mapping(node);
  return found?.propertyNames?.enum ?? Object.keys(found?.properties ?? {});
}

/** The alternative of a union that has keys; the others are null or plain values. */
function mapping(node: SchemaNode): SchemaNode {
  return node.anyOf?.find((one) => one.properties ?? one.items ?? one.additionalProperties) ?? node;
}

function step(node: SchemaNode, key: PropertyKey): SchemaNode | undefined {
  if (typeof key === 'number') return node.items;
  const named = node.properties?.[String(key)];
  return named ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
}
