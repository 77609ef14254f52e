import type { Action } from '../action.ts';
import type { Guard } from '../guard.ts';

/** GuardKit cannot judge a patch or an input that it cannot read, or commands typed into a running program. */
export const unseenEffects: Guard = {
  id: 'unseen-effects',
  summary:
    'Patches and tool inputs that GuardKit cannot read, and programs that take commands later without its knowledge, are refused.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['edit', 'command', 'tool'],
  expires: undefined,
  judge(action) {
    if (action.kind !== 'edit' && action.kind !== 'command' && action.kind !== 'tool') return undefined;
    if (action.unseen === undefined) return undefined;
    return { decision: 'deny', reason: action.unseen, guidance: guidance(action) };
  },
};

function guidance({ kind, tool }: Action): string {
  switch (kind) {
    case 'edit':
      return tool.includes('patch')
        ? 'Send one patch from "*** Begin Patch" to "*** End Patch", with unindented headers and nothing around it.'
        : 'Give the absolute path of the file.';
    case 'command':
      return 'Give the program its commands as arguments, in a file or in a here-document.';
    default:
      return 'Send only the tool’s documented parameters, each with its documented type.';
  }
}
