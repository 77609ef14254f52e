import { readPrecedents } from '../open-learning.ts';
import type { McpPrompt } from './mcp-prompt.ts';

export const precedentsPrompt: McpPrompt = {
  name: 'precedents',
  description: 'Show what happened before in similar situations.',
  argument: { name: 'about', description: 'what you are about to do', required: true },
  async text(context, about) {
    const text = await readPrecedents(context, about);
    if (text === '') return 'GuardKit has no precedents for this. Tell the person.';
    return [
      'Before you continue, consider these precedents of this project and tell the person in a few sentences what they mean here:',
      text,
    ].join('\n');
  },
};
