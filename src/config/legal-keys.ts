import * as z from 'zod';

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

/** The keys that a schema knows at a path, for telling a person which one was probably meant. */
export function legalKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let node: SchemaNode | undefined = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as SchemaNode;
  for (const key of path) node = node && step(mapping(node), key);
  return Object.keys((node && mapping(node))?.properties ?? {});
}

/** Of alternatives the one that has keys: the others are null and plain values. */
function mapping(node: SchemaNode): SchemaNode {
  return node.anyOf?.find((one) => one.properties ?? one.items ?? one.additionalProperties) ?? node;
}

function step(node: SchemaNode, key: PropertyKey): SchemaNode | undefined {
  if (typeof key === 'number') return node.items;
  const named = node.properties?.[String(key)];
  return named ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
}
