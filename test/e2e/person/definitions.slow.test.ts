import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../orchestration/drivers/driver-benches.ts';
import {
  CONFIG,
  PersonBesideAgent,
  TASK,
  taskText,
  whyNoPersonBesideAgent,
} from '../../support/person-beside-agent.ts';
import { TIERS } from '../../support/protection-tiers.ts';
import { bash, DONE, type HookAnswers } from '../../support/scripted-claude.ts';
import { further, rows, THOROUGH } from '../../support/thorough.ts';
import {
  acceptWithoutSandbox,
  expectNoBlame,
  harmlessSession,
  objections,
  SESSION_MS,
} from './persons-work.ts';

const GUARD = `id: no-deploy
summary: Only people deploy.
commands:
  - {program: deploy}
decision: deny
reason: Only people deploy.
guidance: Ask for a deployment in your answer.
`;

describe.skipIf(whyNoPersonBesideAgent()).each(TIERS)(
  'a person edits definitions while a command of the agent runs (tier: %s)',
  (tier) => {
    let world: PersonBesideAgent;
    let before: HookAnswers | undefined;
    beforeAll(async () => {
      world = await PersonBesideAgent.start(tier);
      // Starting the real program takes seconds; each session below starts it again.
      if (THOROUGH) before = await harmlessSession(world);
      return () => world.end();
    });

    it.each(
      rows(1, [
        ['writes over it', false],
        ['replaces it', true],
      ] as const),
    )(
      'and the configuration stays as saved when the editor %s',
      async (_how, replace) => {
        const points = world.points();
        const agent = await world.agent([bash(points.wait('running')), DONE], points);
        await agent.reached('running');
        const text = `${world.read(CONFIG)}# ${replace ? 'A second' : 'A first'} remark of Ada's.\n`;
        const saved = await world.save(CONFIG, text, { replace });
        await agent.finish('running');
        expect(world.state(CONFIG)).toEqual(saved);
      },
      SESSION_MS,
    );

    further(
      'and a task stays as saved, with its mode',
      async () => {
        const points = world.points();
        const agent = await world.agent([bash(points.wait('running')), bash('true'), DONE], points);
        await agent.reached('running');
        const saved = await world.save(TASK, taskText('TASK-001', 'the cart is empty', 'it has a total'), {
          mode: 0o600,
        });
        await agent.finish('running');
        expect(world.state(TASK)).toEqual(saved);
      },
      SESSION_MS,
    );

    further(
      'and a removed task stays removed, and a new one stays',
      async () => {
        const [old, added] = ['tasks/backlog/TASK-009-old.md', 'tasks/backlog/TASK-010-new.md'];
        await world.save(old, taskText('TASK-009', 'is old'));
        await world.person.do(`git add ${old} && git commit -q -m 'An old task'`);
        const points = world.points();
        const agent = await world.agent([bash(points.wait('running')), bash('true'), DONE], points);
        await agent.reached('running');
        await world.person.do(`rm ${old}`);
        const saved = await world.save(added, taskText('TASK-010', 'is new'));
        await agent.finish('running');
        expect(existsSync(world.path(old))).toBe(false);
        expect(world.state(added)).toEqual(saved);
        await world.person.do(`git add -A tasks && git commit -q -m 'A new task'`);
      },
      SESSION_MS,
    );

    further(
      'and an edit committed meanwhile stays, in the files and in the commit',
      async () => {
        const points = world.points();
        const agent = await world.agent([bash(points.wait('running')), bash('true'), DONE], points);
        await agent.reached('running');
        const saved = await world.save(TASK, taskText('TASK-001', 'the cart is empty', 'it can be emptied'));
        await world.person.do(`git commit -q -am 'Carts can be emptied'`);
        const head = world.git('rev-parse', 'HEAD');
        await agent.finish('running');
        expect(world.state(TASK)).toEqual(saved);
        expect(world.git('rev-parse', 'HEAD')).toBe(head);
        expect(world.git('status', '--porcelain')).toBe('');
      },
      SESSION_MS,
    );

    it('and none of it is a violation', () => expect(world.entries('violation_recorded')).toEqual([]));

    further(
      'and none of it is reported to a later session',
      () => expectNoBlame(world, before as HookAnswers),
      SESSION_MS,
    );

    it(
      'and a configuration committed meanwhile is in force afterwards',
      async () => {
        const points = world.points();
        const secret = world.path('infra/main.tf');
        const write = use('Write', { file_path: secret, content: 'resource\n' });
        const agent = await world.agent(
          [bash(points.wait('running')), () => acceptWithoutSandbox(world), write, DONE],
          points,
        );
        await agent.reached('running');
        await world.save(CONFIG, `${world.read(CONFIG)}protected:\n  - infra/\n`);
        await world.person.do(`git commit -q -am 'Protect infra'`);
        await agent.finish('running');
        expect(world.git('status', '--porcelain')).toBe('');
        expect(existsSync(secret)).toBe(false);
        expect(objections(world)).toContain('protected-set');
      },
      SESSION_MS,
    );

    further(
      'and a committed new guard applies to the next command',
      async () => {
        const points = world.points();
        const agent = await world.agent(
          [bash(points.wait('running')), () => acceptWithoutSandbox(world), bash('deploy now'), DONE],
          points,
        );
        await agent.reached('running');
        const saved = await world.save('.guardkit/guards/no-deploy.yaml', GUARD);
        await world.person.do(`git add .guardkit && git commit -q -m 'Only people deploy'`);
        await agent.finish('running');
        expect(world.state('.guardkit/guards/no-deploy.yaml')).toEqual(saved);
        expect(objections(world)).toContain('no-deploy');
      },
      SESSION_MS,
    );
  },
);
