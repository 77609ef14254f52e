import { readRefusals } from '../open-learning.ts';
import type { McpPrompt } from './mcp-prompt.ts';

export const whyPrompt: McpPrompt = {
  name: 'why',
  description: 'Explain why GuardKit refused or restored something, and what to do instead.',
  argument: {
    name: 'what',
    description: 'a guard, a file or words (default: the last refusals)',
    required: false,
  },
  async text(context, what) {
    const refusals = await readRefusals(context, what);
    if (refusals.length === 0) return 'No recorded refusal matches. Tell the person and ask what they mean.';
    return [
      'Explain briefly and in plain words what was refused, by which guard, why, and what would have been allowed.',
      'If the guard was wrong, say that only a person can waive it, with `guardkit guard allow GUARD --reason "…"` in their own terminal; `guardkit guard show GUARD` shows its rule. You cannot waive it; do not try.',
      'Recorded refusals, best match first:',
      ...refusals,
    ].join('\n');
  },
};
