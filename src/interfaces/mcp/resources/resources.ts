import type { McpContext } from '../mcp-context.ts';
import { readPrecedents, readRefusals } from '../open-learning.ts';

/** Something that a person can put into a conversation. */
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
    description: 'What GuardKit last refused or put back here, and why.',
    async text(context) {
      const refusals = await readRefusals(context, '');
      return refusals.length > 0 ? refusals.join('\n') : 'Nothing was refused here so far.';
    },
  },
  {
    uri: 'guardkit://precedents',
    name: 'precedents',
    description: 'What is worth knowing from before, in this project.',
    async text(context) {
      return (await readPrecedents(context, '')) || 'Nothing is remembered yet.';
    },
  },
];
