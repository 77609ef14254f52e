import { readRefusals } from '../open-learning.ts';
import type { McpPrompt } from './mcp-prompt.ts';

export const whyPrompt: McpPrompt = {
  name: 'why',
  description: 'Explain why GuardKit refused or put back something, and what to do instead.',
  argument: {
    name: 'what',
    description: 'a guard, a file or words; left out, the last refusals',
    required: false,
  },
  async text(context, what) {
    const refusals = await readRefusals(context, what);
    if (refusals.length === 0)
      return 'GuardKit has no refusal on record that fits. Say so, and ask what is meant.';
    return [
      'Explain to the person in plain words, and briefly: what was refused, by which guard, why, and what would have been allowed.',
      'If the guard was wrong, say that only a person can let it pass, with `guardkit guard allow GUARD --reason "…"` in a terminal of their own; `guardkit guard show GUARD` shows its rule. You cannot pass it, and do not try.',
      'On record, the best match first:',
      ...refusals,
    ].join('\n');
  },
};
