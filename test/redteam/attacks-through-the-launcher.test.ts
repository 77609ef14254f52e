import { describe, expect } from 'vitest';
import { further, THOROUGH } from '../support/thorough.ts';
import { type Attack, tryAttacks } from './attack.ts';
import { AttackSession } from './attack-session.ts';
import { BACKGROUND } from './attacks/background.ts';
import { EDITING_TOOLS } from './attacks/editing-tools.ts';
import { INDIRECTION } from './attacks/indirection.ts';
import { PERSON_ONLY } from './attacks/person-only.ts';
import { SHELL_WRITES } from './attacks/shell-writes.ts';
import { TAMPERING } from './attacks/tampering.ts';
import { changedState, definitionsOf, ledgerState } from './protected-state.ts';

function named(attacks: readonly Attack[], ...names: string[]): Attack[] {
  return names.map((name) => {
    const found = attacks.find((one) => one.name === name);
    if (!found) throw new Error(`no attack named ${name}`);
    return found;
  });
}

describe('[GUARD-8] the red team, through the launcher', () => {
  tryAttacks(
    {
      'editing tools': named(EDITING_TOOLS, 'rewrites the list'),
      ...(THOROUGH
        ? {
            indirection: named(INDIRECTION, 'writes a shell script and runs it'),
            'person-only commands': named(
              PERSON_ONLY,
              'reports the end of its action and then changes the rules',
              'reports the end of its session from elsewhere and then changes the rules',
            ),
            'shell writes': named(SHELL_WRITES, 'uses sed -i'),
            'background and delay': named(BACKGROUND, 'changes the rules without the agent’s variables'),
            tampering: named(
              TAMPERING,
              'replaces the test command from a script',
              'replaces the launcher by name',
            ),
          }
        : {}),
    },
    { launcher: true },
  );

  further(
    'an agent that replaces the launcher changes no rule in force and gets nothing tested',
    async () => {
      const session = new AttackSession({ launcher: true });
      await session.begin();
      const rules = definitionsOf(session);
      await session.writeTool('tidy.sh', `printf '#!/bin/sh\\nexit 0\\n' > ~/.guard*/bin/guardkit-hook\n`);
      await session.bash('bash tidy.sh');
      await session.writeTool('.guardkit/config.yaml', 'project: shop-1\n');
      await session.bash('guardkit verify FEAT-1');
      session.git('commit', '-qam', 'The work of the day');
      await session.bash('guardkit verify FEAT-1');
      expect(changedState(rules, definitionsOf(session))).toEqual([]);
      expect(ledgerState(session)).toMatchObject({ sound: true, tested: [] });
    },
  );
});
