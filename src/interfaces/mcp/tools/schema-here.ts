import { openKnowledge } from '../../../architecture/file/open-knowledge.ts';
import { BUILT_IN_SCHEMA, type KnowledgeSchema } from '../../../architecture/schema/knowledge-schema.ts';
import type { McpContext } from '../mcp-context.ts';

/** The schema of this project's graph, for the tool list. */
export async function schemaHere(context: McpContext): Promise<KnowledgeSchema> {
  try {
    return (await openKnowledge(context)).schema;
  } catch {
    // Safe: it is only used for a description, and a call reports the fault.
    return BUILT_IN_SCHEMA;
  }
}
