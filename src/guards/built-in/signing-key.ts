import { isInside } from '../../platform/files/path-inside.ts';
import { keysFolder } from '../../platform/signing/machine-key.ts';
import type { Action } from '../action.ts';
import type { Guard } from '../guard.ts';
import type { RealPath } from '../real-path.ts';

/** With the key, an agent could sign results that nobody verified. */
export const signingKey: Guard = {
  id: 'signing-key',
  summary: 'Agents do not read the key with which this machine signs attestations.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['read', 'command'],
  expires: undefined,
  judge(action, { dataFolder }) {
    const folder = keysFolder(dataFolder);
    const found = filesOf(action).find(({ real }) => isInside(real, folder));
    return (
      found && {
        decision: 'deny',
        reason: `This reads ${found.given}, where this machine’s signing key is.`,
        guidance: 'Leave signing to the person: `guardkit attest` in another terminal.',
      }
    );
  },
};

function filesOf(action: Action): readonly RealPath[] {
  if (action.kind === 'read') return action.files;
  return action.kind === 'command' ? action.reaches.map(({ file }) => file) : [];
}
