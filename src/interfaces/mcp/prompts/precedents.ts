import { readPrecedents } from '../open-learning.ts';
import type { McpPrompt } from './mcp-prompt.ts';

export const precedentsPrompt: McpPrompt = {
  name: 'precedents',
  description: 'What happened before in situations like this one.',
  argument: { name: 'about', description: 'what is going to be done', required: true },
  async text(context, about) {
    const text = await readPrecedents(context, about);
    if (text === '') return 'GuardKit remembers nothing that is like this. Say so.';
    return [
      'Before going on, take these precedents of this project into account, and tell the person in a few sentences what they mean here:',
      text,
    ].join('\n');
  },
};
