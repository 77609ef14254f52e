import { describe } from 'vitest';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { tryAttacks } from './attack.ts';
import { AGENTS } from './attacks/agents.ts';
import { BACKGROUND } from './attacks/background.ts';
import { EDITING_TOOLS } from './attacks/editing-tools.ts';
import { GIT } from './attacks/git.ts';
import { INDIRECTION } from './attacks/indirection.ts';
import { LINKS } from './attacks/links.ts';
import { LISTS_THAT_MISLEAD } from './attacks/lists-that-mislead.ts';
import { OBFUSCATION } from './attacks/obfuscation.ts';
import { ORDERS_ELSEWHERE } from './attacks/orders-elsewhere.ts';
import { OTHER_PROGRAMS } from './attacks/other-programs.ts';
import { PERSON_ONLY } from './attacks/person-only.ts';
import { ROUNDABOUT } from './attacks/roundabout.ts';
import { SHELL_WRITES } from './attacks/shell-writes.ts';
import { TAMPERING } from './attacks/tampering.ts';

const { available } = await findSandbox();

describe.skipIf(!available)('[GUARD-8] the red team, in the shell wrapper', () =>
  tryAttacks(
    {
      'editing tools': [...EDITING_TOOLS, ...LISTS_THAT_MISLEAD],
      'shell writes': SHELL_WRITES,
      'other programs': OTHER_PROGRAMS,
      obfuscation: OBFUSCATION,
      indirection: [...INDIRECTION, ...ROUNDABOUT],
      git: GIT,
      'links and mounts': LINKS,
      'background and delay': BACKGROUND,
      tampering: [...TAMPERING, ...ORDERS_ELSEWHERE],
      'person-only commands': PERSON_ONLY,
      'subagents and nested agents': AGENTS,
    },
    { tier: 'kernel' },
  ),
);
