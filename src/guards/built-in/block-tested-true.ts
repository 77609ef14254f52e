import type { Guard, Objection } from '../guard.ts';
import { describeFaults, judgeListEdit } from './list-edit.ts';

const SET_BY =
  'only `guardkit verify FEATURE` sets it, when every required gate passes on the current files.';

/** No agent certifies its own work: only GuardKit records the results of verification. */
export const blockTestedTrue: Guard = {
  id: 'block-tested-true',
  summary: 'Only GuardKit’s verification changes `tested` and the other fields that GuardKit owns.',
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
            reason: `This changes fields of the feature list that only GuardKit sets: ${describeFaults(edit.controlled)}.`,
            guidance: first.guidance,
          };
      }
    }
    if (action.kind === 'command') {
      const write = action.reaches.find(
        ({ file, mode, guess, search }) =>
          file.protectedAs === 'feature-list' &&
          (mode === 'delete' || (mode === 'write' && (search === undefined || search.extent === 'named'))) &&
          !(facts.wrapped && guess !== undefined),
      );
      if (write) return byCommand(write.mode === 'delete' ? 'remove' : 'write', write.by);
    }
    return undefined;
  },
};

function unreadable(why: string): Objection {
  return {
    decision: 'deny',
    reason: `GuardKit could not read the feature list after this edit: ${why}.`,
    guidance: 'Keep it a JSON object with `features`, and leave the other features unchanged.',
  };
}

function byCommand(what: string, by: string): Objection {
  return {
    decision: 'deny',
    reason: `This command would ${what} the feature list (${by}), and GuardKit cannot check the result beforehand.`,
    guidance: `Change status or notes with your edit tool. Leave \`tested\` alone: ${SET_BY}`,
  };
}
