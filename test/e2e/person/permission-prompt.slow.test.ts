import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../orchestration/drivers/driver-benches.ts';
import {
  CONFIG,
  PersonBesideAgent,
  REVIEWER,
  TASK,
  taskText,
  whyNoPersonBesideAgent,
} from '../../support/person-beside-agent.ts';
import { TIERS } from '../../support/protection-tiers.ts';
import { bash, DONE } from '../../support/scripted-claude.ts';
import { expectKept, SESSION_MS } from './persons-work.ts';

const PROMPT = /1\. Yes/;
const REJECTED = /Interrupted|User rejected/;

describe.skipIf(whyNoPersonBesideAgent()).each(TIERS)('a permission prompt is open (tier: %s)', (tier) => {
  let world: PersonBesideAgent;
  beforeAll(async () => {
    world = await PersonBesideAgent.start(tier);
    return () => world.end();
  });

  it.each([
    ['writes yes', 'Enter', true],
    ['says no', 'Escape', false],
  ])(
    'and the person’s edits stay when the person then %s to the command',
    async (_answer, key, made) => {
      const agent = await world.interactiveAgent([bash(`touch made-${key}.txt`), DONE]);
      const prompt = agent.terminal;
      await prompt.shows(PROMPT);
      const saved = {
        [TASK]: await world.save(TASK, taskText('TASK-001', 'the cart is empty', `asked for ${key}`)),
        [CONFIG]: await world.save(CONFIG, `${world.read(CONFIG)}# While asked (${key}).\n`, {
          replace: true,
        }),
        [REVIEWER]: await world.save(REVIEWER, `${world.read(REVIEWER)}Be kind (${key}).\n`),
      };
      prompt.press(key);
      await prompt.shows(made ? /All done\./ : REJECTED);
      expect(existsSync(world.path(`made-${key}.txt`))).toBe(made);
      for (const path of [TASK, CONFIG] as const) expect(world.state(path)).toEqual(saved[path]);
      await expectKept(world, agent, REVIEWER, saved[REVIEWER]);
      prompt.close();
    },
    SESSION_MS,
  );

  it(
    'for an agent’s change to a definition, and saying no keeps the person’s edit',
    async () => {
      const edit = use('Edit', {
        file_path: world.path(TASK),
        old_string: 'title: Cart',
        new_string: 'title: Basket',
      });
      const read = use('Read', { file_path: world.path(TASK) });
      const agent = await world.interactiveAgent([read, edit, DONE]);
      const prompt = agent.terminal;
      await prompt.shows(PROMPT);
      const saved = await world.save(TASK, taskText('TASK-001', 'the cart is empty', 'it is a cart'));
      prompt.press('Escape');
      await prompt.shows(REJECTED);
      prompt.close();
      expect(world.state(TASK)).toEqual(saved);
    },
    SESSION_MS,
  );

  it('and none of it is a violation', () => {
    expect(world.entries('violation_recorded')).toEqual([]);
  });
});
