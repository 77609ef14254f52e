import { describe } from 'vitest';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { tryAttacks } from './attack.ts';
import { GIT } from './attacks/git.ts';
import { INDIRECTION } from './attacks/indirection.ts';
import { LINKS } from './attacks/links.ts';
import { ROUNDABOUT } from './attacks/roundabout.ts';

const { available } = await findSandbox();

describe.skipIf(!available)('[GUARD-8] the red team, in the shell wrapper', () =>
  tryAttacks(
    {
      indirection: [...INDIRECTION, ...ROUNDABOUT],
      git: GIT,
      'links and mounts': LINKS,
    },
    { tier: 'kernel' },
  ),
);
