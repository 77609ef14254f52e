import { describe } from 'vitest';
import { rows, sample } from '../support/thorough.ts';
import { tryAttacks } from './attack.ts';
import { AGENTS } from './attacks/agents.ts';
import { BACKGROUND } from './attacks/background.ts';
import { ORDERS_ELSEWHERE } from './attacks/orders-elsewhere.ts';
import { PERSON_ONLY } from './attacks/person-only.ts';
import { TAMPERING } from './attacks/tampering.ts';

describe('[GUARD-8] the red team', () =>
  tryAttacks({
    'background and delay': rows(1, BACKGROUND),
    tampering: sample(28, [...TAMPERING, ...ORDERS_ELSEWHERE]),
    'person-only commands': sample(16, PERSON_ONLY),
    'subagents and nested agents': sample(14, AGENTS),
  }));
