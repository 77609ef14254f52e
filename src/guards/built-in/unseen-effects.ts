import type { Guard } from '../guard.ts';

/** GuardKit cannot judge a patch that it cannot read, or commands typed into a running program. */
export const unseenEffects: Guard = {
  id: 'unseen-effects',
  summary:
    'Patches that GuardKit cannot read, and programs that take commands later without its knowledge, are refused.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['edit', 'command'],
  expires: undefined,
  judge(action) {
    if (action.kind !== 'edit' && action.kind !== 'command') return undefined;
    if (action.unseen === undefined) return undefined;
    return {
      decision: 'deny',
      reason: action.unseen,
      guidance:
        action.kind === 'edit'
          ? 'Send one patch from "*** Begin Patch" to "*** End Patch", with unindented headers and nothing around it.'
          : 'Give the program its commands as arguments, in a file or in a here-document.',
    };
  },
};
