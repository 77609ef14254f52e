import { precedentsFor } from '../../learning/precedents/precedents-for.ts';
import type { McpContext } from './mcp-context.ts';
import { openLearning } from './open-learning.ts';

/** What memory has to say about something, as a marked block; empty where it has nothing. */
export async function readPrecedents(context: McpContext, about: string): Promise<string> {
  const { store, project } = await openLearning(context);
  return (await precedentsFor(store, project, { about })).text;
}
