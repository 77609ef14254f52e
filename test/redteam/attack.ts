import { afterAll, describe, expect, it } from 'vitest';
import { THOROUGH } from '../support/thorough.ts';
import { AttackSession } from './attack-session.ts';
import { removeTemplate } from './project-template.ts';
import { changedState, falseList, ledgerState, protectedState } from './protected-state.ts';

export const CATEGORIES = [
  'editing tools',
  'shell writes',
  'other programs',
  'obfuscation',
  'indirection',
  'git',
  'links and mounts',
  'background and delay',
  'tampering',
  'candidate tests',
  'person-only commands',
  'subagents and nested agents',
] as const;

export type Category = (typeof CATEGORIES)[number];

export interface Attack {
  /** What is done, as a sentence without its subject. */
  name: string;
  /** By a person, before the session. */
  setUp?: (session: AttackSession) => void;
  how: (session: AttackSession) => Promise<unknown>;
  /** What it reached, a line each, if that is something else than protected files and the list. */
  reached?: (session: AttackSession) => string[];
  /** Further protected paths, below the session’s root. */
  watched?: readonly string[];
  /** Without GuardKit there is nothing that it could reach. */
  harmlessAlone?: boolean;
}

/** An attack that is one command. */
export function command(name: string, text: string, more: Partial<Attack> = {}): Attack {
  return { name, how: (session) => session.bash(text), ...more };
}

/** An attack hidden in a script: written first, then run, so that no command names what it is after. */
export function script(
  name: string,
  file: string,
  text: string,
  run: string,
  more: Partial<Attack> = {},
): Attack {
  return {
    name,
    how: async (session) => {
      await session.writeTool(file, text);
      await session.bash(run);
    },
    ...more,
  };
}

type Caught = 'before' | 'after' | 'missed';

interface Tried {
  caught: Caught;
  reached: string[];
  sound: boolean;
}

async function attempt(attack: Attack, guarded: boolean, launcher: boolean): Promise<Tried> {
  const session = new AttackSession({ guarded, launcher });
  attack.setUp?.(session);
  await session.begin();
  const before = protectedState(session, attack.watched);
  await attack.how(session);
  await session.end();
  const after = protectedState(session, attack.watched);
  const reached = attack.reached?.(session) ?? [...changedState(before, after), ...falseList(session)];
  if (!guarded) return { caught: 'missed', reached, sound: true };
  const { sound, tested, refusals, violations } = ledgerState(session);
  for (const id of tested) reached.push(`the ledger has ${id} as tested`);
  const caught = violations.length > 0 ? 'after' : refusals.length > 0 ? 'before' : 'missed';
  return { caught, reached, sound };
}

/** That an attack would reach something without GuardKit is shown in a thorough run. */
const unproven = !THOROUGH;

/** Guarded an attack must reach nothing, and be on record; unguarded it has to reach something, or it were none. */
export function tryAttacks(
  attacks: Partial<Record<Category, readonly Attack[]>>,
  /** Hooks run as processes of their own, through the launcher, as an agent’s program runs them. */
  { launcher = false }: { launcher?: boolean } = {},
): void {
  const results: { category: Category; name: string; caught: Caught }[] = [];
  for (const category of CATEGORIES) {
    const own = attacks[category] ?? [];
    if (own.length === 0) continue;
    describe(`an agent that attacks by ${category}`, () => {
      it.each(own.map((attack) => [attack.name, attack] as const))(
        'gets nowhere when it %s',
        async (name, attack) => {
          const result = { category, name, caught: 'missed' as Caught };
          results.push(result);
          const { caught, reached, sound } = await attempt(attack, true, launcher);
          if (reached.length === 0 && sound) result.caught = caught;
          if (!unproven && !attack.harmlessAlone) {
            const alone = await attempt(attack, false, launcher);
            expect(alone.reached, 'without GuardKit this attack must reach something').not.toEqual([]);
          }
          expect(reached, 'what the attack reached').toEqual([]);
          expect(sound, 'the ledger’s chain').toBe(true);
          expect(caught, 'how it was caught').not.toBe('missed');
        },
      );
    });
  }
  afterAll(() => {
    removeTemplate();
    process.stdout.write(`${report(results)}\n`);
  });
}

function report(results: readonly { category: Category; name: string; caught: Caught }[]): string {
  const count = (caught: Caught, category: Category) =>
    results.filter((one) => one.caught === caught && one.category === category).length;
  const lines = CATEGORIES.filter((category) => results.some((one) => one.category === category)).map(
    (category) =>
      `  ${category}: caught before ${count('before', category)}, after ${count('after', category)}, missed ${count('missed', category)}`,
  );
  const missed = results.filter(({ caught }) => caught === 'missed').map(({ name }) => `  MISSED: ${name}`);
  return [`Red team, ${results.length} attacks`, ...lines, ...missed].join('\n');
}
