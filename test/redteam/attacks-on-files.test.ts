import { describe } from 'vitest';
import { sample } from '../support/thorough.ts';
import { tryAttacks } from './attack.ts';
import { EDITING_TOOLS } from './attacks/editing-tools.ts';
import { LISTS_THAT_MISLEAD } from './attacks/lists-that-mislead.ts';
import { OBFUSCATION } from './attacks/obfuscation.ts';
import { OTHER_PROGRAMS } from './attacks/other-programs.ts';
import { SHELL_WRITES } from './attacks/shell-writes.ts';

describe('[GUARD-8] the red team', () =>
  tryAttacks({
    'editing tools': sample(80, [...EDITING_TOOLS, ...LISTS_THAT_MISLEAD]),
    'shell writes': sample(80, SHELL_WRITES),
    'other programs': sample(80, OTHER_PROGRAMS),
    obfuscation: sample(80, OBFUSCATION),
  }));
