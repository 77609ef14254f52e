import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { PersonBesideAgent, taskText, whyNoPersonBesideAgent } from '../../support/person-beside-agent.ts';
import { TIERS } from '../../support/protection-tiers.ts';
import { bash, DONE, type HookAnswers } from '../../support/scripted-claude.ts';
import { expectNoBlame, harmlessSession, SESSION_MS } from './persons-work.ts';

const THERE = 'tasks/backlog/TASK-040-there.md';
const UNTRACKED = 'tasks/backlog/TASK-041-untracked.md';

describe.skipIf(whyNoPersonBesideAgent()).each(TIERS)(
  'a person switches branches while an agent works (tier: %s)',
  (tier) => {
    let world: PersonBesideAgent;
    let before: HookAnswers;
    beforeAll(async () => {
      world = await PersonBesideAgent.start(tier);
      before = await harmlessSession(world);
      await world.person.do('git checkout -q -b other');
      await world.save(THERE, taskText('TASK-040', 'is only on this branch'));
      await world.person.do(`git add tasks && git commit -q -m 'A task of another branch'`);
      await world.person.do('git checkout -q main');
      return () => world.end();
    });

    /** Switches to the other branch, which has its task, and back. */
    async function thereAndBack(): Promise<void> {
      await world.person.do('git checkout -q other');
      expect(existsSync(world.path(THERE))).toBe(true);
      await world.person.do('git checkout -q main');
      expect(existsSync(world.path(THERE))).toBe(false);
    }

    it(
      'during an action, and the other branch’s task exists only there',
      async () => {
        const points = world.points();
        const agent = await world.agent([bash(points.wait('running')), bash('true'), DONE], points);
        await agent.reached('running');
        await thereAndBack();
        await agent.finish('running');
        expect(existsSync(world.path(THERE))).toBe(false);
        expect(world.git('status', '--porcelain')).toBe('');
        await thereAndBack();
      },
      SESSION_MS,
    );

    it(
      'between actions, and an untracked task stays',
      async () => {
        const saved = await world.save(UNTRACKED, taskText('TASK-041', 'is not committed'));
        const agent = await world.agent([
          bash('true'),
          async () => world.person.do('git checkout -q other'),
          bash('true'),
          async () => {
            expect(world.state(UNTRACKED)).toEqual(saved);
            await world.person.do('git checkout -q main');
          },
          bash('true'),
          DONE,
        ]);
        await agent.ended;
        expect(world.state(UNTRACKED)).toEqual(saved);
        expect(world.git('status', '--porcelain')).toBe(`?? ${UNTRACKED}`);
      },
      SESSION_MS,
    );

    it(
      'with a task that is untracked here and committed there, moved out of the way by the person',
      async () => {
        await world.save(THERE, taskText('TASK-040', 'is only on this branch'));
        await harmlessSession(world);
        await world.person.do(`rm ${THERE}`);
        await harmlessSession(world);
        expect(existsSync(world.path(THERE))).toBe(false);
        await thereAndBack();
      },
      SESSION_MS,
    );

    it(
      'and none of it is a violation, or reported to a later session',
      () => expectNoBlame(world, before),
      SESSION_MS,
    );
  },
);
