import { describe } from 'vitest';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { tryAttacks } from './attack.ts';
import { AGENTS } from './attacks/agents.ts';
import { BACKGROUND } from './attacks/background.ts';
import { ORDERS_ELSEWHERE } from './attacks/orders-elsewhere.ts';
import { PERSON_ONLY } from './attacks/person-only.ts';
import { TAMPERING } from './attacks/tampering.ts';

const { available } = await findSandbox();

describe.skipIf(!available)('[GUARD-8] the red team, in the shell wrapper', () =>
  tryAttacks(
    {
      'background and delay': BACKGROUND,
      tampering: [...TAMPERING, ...ORDERS_ELSEWHERE],
      'person-only commands': PERSON_ONLY,
      'subagents and nested agents': AGENTS,
    },
    { tier: 'kernel' },
  ),
);
