import { isCodingAgent } from '../../domain/feature-list/list-rights.ts';
import type { Guard } from '../guard.ts';

export const verifyImplementation: Guard = {
  id: 'verify-implementation',
  summary: 'A coding agent that returns without having changed a file is sent back.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['stop'],
  expires: undefined,
  judge(action) {
    // Only once, so that an agent can stop if the change is impossible.
    if (action.kind !== 'stop' || action.again || action.changed?.length !== 0) return undefined;
    if (!isCodingAgent(action.actor.type)) return undefined;
    return {
      decision: 'deny',
      reason: 'You were started to change the project, but no file has changed.',
      guidance:
        'Make the change and run its tests. If there is nothing to do, or it cannot be done, stop again and say why.',
    };
  },
};
