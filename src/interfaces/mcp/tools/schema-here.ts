import { openKnowledge } from '../../../architecture/file/open-knowledge.ts';
import { BUILT_IN_SCHEMA, type KnowledgeSchema } from '../../../architecture/schema/knowledge-schema.ts';
import type { McpContext } from '../mcp-context.ts';

/** What this project's graph may say, for the list of tools. */
export async function schemaHere(context: McpContext): Promise<KnowledgeSchema> {
  try {
    return (await openKnowledge(context)).schema;
  } catch {
    // Safe: only a description is made of it, and whoever calls the tool hears what is wrong.
    return BUILT_IN_SCHEMA;
  }
}
