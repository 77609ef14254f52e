import type { Guard } from '../guard.ts';
import { describeFaults, judgeListEdit } from './list-edit.ts';

export const fieldRights: Guard = {
  id: 'field-rights',
  summary: 'Each type of agent changes only its own fields of the feature list.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['edit'],
  expires: undefined,
  judge(action, facts) {
    if (action.kind !== 'edit') return undefined;
    for (const effect of action.files) {
      if (effect.file.protectedAs !== 'feature-list') continue;
      const edit = judgeListEdit(effect, action.actor, facts);
      const [first] = edit.ok ? edit.others : [];
      if (!edit.ok || !first) continue;
      const who = action.actor.type === undefined ? 'This agent' : `An agent of type ${action.actor.type}`;
      return {
        decision: 'deny',
        reason: `${who} may not change this in the feature list: ${describeFaults(edit.others)}.`,
        guidance: first.guidance,
      };
    }
    return undefined;
  },
};
