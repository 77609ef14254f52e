import type { McpContext } from '../mcp-context.ts';
import { readPrecedents, readRefusals } from '../open-learning.ts';

/** A resource that a person can add to a conversation. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  text(context: McpContext): Promise<string>;
}

export const RESOURCES: readonly McpResource[] = [
  {
    uri: 'guardkit://refusals',
    name: 'refusals',
    description: 'The last refusals and restores here, and their reasons.',
    async text(context) {
      const refusals = await readRefusals(context, '');
      return refusals.length > 0 ? refusals.join('\n') : 'Nothing has been refused here.';
    },
  },
  {
    uri: 'guardkit://precedents',
    name: 'precedents',
    description: 'Precedents of this project.',
    async text(context) {
      return (await readPrecedents(context, '')) || 'There are no precedents yet.';
    },
  },
];
