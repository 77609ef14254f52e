import { describe } from 'vitest';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { tryAttacks } from './attack.ts';
import { EDITING_TOOLS } from './attacks/editing-tools.ts';
import { LISTS_THAT_MISLEAD } from './attacks/lists-that-mislead.ts';
import { OBFUSCATION } from './attacks/obfuscation.ts';
import { OTHER_PROGRAMS } from './attacks/other-programs.ts';
import { SHELL_WRITES } from './attacks/shell-writes.ts';

const { available } = await findSandbox();

describe.skipIf(!available)('[GUARD-8] the red team, in the shell wrapper', () =>
  tryAttacks(
    {
      'editing tools': [...EDITING_TOOLS, ...LISTS_THAT_MISLEAD],
      'shell writes': SHELL_WRITES,
      'other programs': OTHER_PROGRAMS,
      obfuscation: OBFUSCATION,
    },
    { tier: 'kernel' },
  ),
);
