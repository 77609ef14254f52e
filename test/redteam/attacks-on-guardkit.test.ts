import { describe } from 'vitest';
import { THOROUGH } from '../support/thorough.ts';
import { type Attack, tryAttacks } from './attack.ts';
import { AGENTS } from './attacks/agents.ts';
import { BACKGROUND } from './attacks/background.ts';
import { ORDERS_ELSEWHERE } from './attacks/orders-elsewhere.ts';
import { PERSON_ONLY } from './attacks/person-only.ts';
import { TAMPERING } from './attacks/tampering.ts';

/** Attacks of one kind take similar ways; the usual run tries every fourth. */
function sample(...attacks: Attack[]): Attack[] {
  return attacks.filter((_, index) => THOROUGH || index % 4 === 0);
}

describe('[GUARD-8] the red team', () =>
  tryAttacks({
    'background and delay': sample(...BACKGROUND),
    tampering: sample(...TAMPERING, ...ORDERS_ELSEWHERE),
    'person-only commands': sample(...PERSON_ONLY),
    'subagents and nested agents': sample(...AGENTS),
  }));
