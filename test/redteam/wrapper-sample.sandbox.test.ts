import { describe } from 'vitest';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { type Attack, tryAttacks } from './attack.ts';
import { BACKGROUND } from './attacks/background.ts';
import { EDITING_TOOLS } from './attacks/editing-tools.ts';
import { GIT } from './attacks/git.ts';
import { INDIRECTION } from './attacks/indirection.ts';
import { TAMPERING } from './attacks/tampering.ts';

const { available } = await findSandbox();

/** All attacks run in the slow tests wrapper-on-files, wrapper-by-detours and wrapper-on-guardkit. */
function sample(attacks: readonly Attack[]): Attack[] {
  return attacks.filter((_, index) => index % 30 === 0);
}

describe.skipIf(!available)('[GUARD-8] the red team, in the shell wrapper, a sample', () =>
  tryAttacks(
    {
      'editing tools': sample(EDITING_TOOLS),
      indirection: sample(INDIRECTION),
      git: sample(GIT),
      'background and delay': sample(BACKGROUND),
      tampering: sample(TAMPERING),
    },
    { tier: 'kernel' },
  ),
);
