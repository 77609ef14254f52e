import type { Guard, Objection } from '../guard.ts';
import { describeFaults, judgeListEdit } from './list-edit.ts';

const SET_BY =
  'Only `guardkit verify FEATURE` sets it, when every required gate passes on the files as they are.';

/** Nobody certifies their own work: what GuardKit has seen, only GuardKit writes down. */
export const blockTestedTrue: Guard = {
  id: 'block-tested-true',
  summary: '`tested` and the other fields that are GuardKit’s change only through its own verification.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['edit', 'command'],
  expires: undefined,
  judge(action, facts) {
    if (action.kind === 'edit') {
      for (const effect of action.files) {
        if (effect.file.protectedAs !== 'feature-list') continue;
        const edit = judgeListEdit(effect, action.actor, facts);
        if (!edit.ok) return unreadable(edit.why);
        const [first] = edit.controlled;
        if (first)
          return {
            decision: 'deny',
            reason: `This would change what is GuardKit’s in the list of features: ${describeFaults(edit.controlled)}.`,
            guidance: `${first.guidance} Write the list again with that field as it was.`,
          };
      }
    }
    if (action.kind === 'command') {
      const write = action.reaches.find(
        ({ file, mode }) => file.protectedAs === 'feature-list' && (mode === 'write' || mode === 'delete'),
      );
      if (write) return byCommand(write.mode === 'delete' ? 'remove' : 'write', write.by);
    }
    return undefined;
  },
};

function unreadable(why: string): Objection {
  return {
    decision: 'deny',
    reason: `This would not leave a list of features that GuardKit can read: ${why}.`,
    guidance:
      'Edit the list so that it stays a JSON object with `features`, and leave the other features as they are.',
  };
}

function byCommand(what: string, by: string): Objection {
  return {
    decision: 'deny',
    reason: `This command would ${what} the list of features (${by}), and what it would then say cannot be told beforehand.`,
    guidance: `Change status or notes with your editing tool, which shows the outcome. As for \`tested\`: ${SET_BY}`,
  };
}
