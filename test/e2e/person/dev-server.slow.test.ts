import { beforeAll, describe, expect, it } from 'vitest';
import {
  CONFIG,
  type FileState,
  PersonBesideAgent,
  TASK,
  taskText,
  whyNoPersonBesideAgent,
} from '../../support/person-beside-agent.ts';
import { TIERS } from '../../support/protection-tiers.ts';
import { bash, DONE, type HookAnswers, type Points } from '../../support/scripted-claude.ts';
import { expectNoBlame, harmlessSession, SESSION_MS } from './persons-work.ts';

/** A server that the agent leaves running, with its own synchronization point. */
const devServer = (points: Points) =>
  bash(`echo listening; ${points.wait('server')}`, { run_in_background: true });

describe.skipIf(whyNoPersonBesideAgent()).each(TIERS)(
  'a person edits while the agent’s dev server runs and no action is open (tier: %s)',
  (tier) => {
    let world: PersonBesideAgent;
    let before: HookAnswers;
    beforeAll(async () => {
      world = await PersonBesideAgent.start(tier);
      before = await harmlessSession(world);
      return () => world.end();
    });

    /** Lets the person act while the model is thinking, then has the agent run two more commands. */
    async function whileServing(act: () => Promise<void>): Promise<void> {
      const points = world.points();
      const agent = await world.agent(
        [
          devServer(points),
          async () => {
            await points.reached('server');
            await act();
          },
          bash('true'),
          bash('echo more'),
          // The program waits for background commands before it ends.
          async () => points.release('server'),
          DONE,
        ],
        points,
      );
      await agent.ended;
    }

    it(
      'and the configuration stays as saved',
      async () => {
        let saved: FileState | undefined;
        await whileServing(async () => {
          saved = await world.save(CONFIG, `${world.read(CONFIG)}# A remark of Ada's.\n`);
        });
        expect(world.state(CONFIG)).toEqual(saved);
      },
      SESSION_MS,
    );

    it(
      'and a task stays as saved',
      async () => {
        let saved: FileState | undefined;
        await whileServing(async () => {
          saved = await world.save(TASK, taskText('TASK-001', 'the cart is empty', 'it has a total'), {
            replace: true,
          });
        });
        expect(world.state(TASK)).toEqual(saved);
      },
      SESSION_MS,
    );

    it(
      'and a commit stays, with its files',
      async () => {
        let head = '';
        await whileServing(async () => {
          await world.save(TASK, taskText('TASK-001', 'the cart is empty', 'it can be emptied'));
          await world.person.do(`git commit -q -am 'Carts can be emptied'`);
          head = world.git('rev-parse', 'HEAD');
        });
        expect(world.git('rev-parse', 'HEAD')).toBe(head);
        expect(world.git('status', '--porcelain')).toBe('');
        expect(world.read(TASK)).toContain('it can be emptied');
      },
      SESSION_MS,
    );

    it.each([
      [
        'a new agent',
        '.claude/agents/helper.md',
        '---\nname: helper\ndescription: helps\n---\nHelp.\n',
        0o644,
      ],
      ['a git hook', '.git/hooks/pre-push', '#!/bin/sh\nexit 0\n', 0o755],
      ['a shell start-up file', '~/.bashrc', '# Ada\nalias ll="ls -l"\n', 0o644],
      ['the settings', '.claude/settings.json', '{"permissions":{"allow":["Bash(ls:*)"]}}\n', 0o644],
    ])(
      'and %s stays',
      async (_what, path, text, mode) => {
        let saved: FileState | undefined;
        await whileServing(async () => {
          saved = await world.save(path, text, { mode });
        });
        expect(world.state(path)).toEqual(saved);
      },
      SESSION_MS,
    );

    it(
      'and a new task added while the session is idle stays',
      async () => {
        const path = 'tasks/backlog/TASK-020-idle.md';
        let saved: FileState | undefined;
        const act = async () => {
          saved = await world.save(path, taskText('TASK-020', 'was written in peace'));
        };
        const agent = await world.agent([bash('true'), act, bash('ls tasks/backlog'), DONE]);
        await agent.ended;
        expect(world.state(path)).toEqual(saved);
        expect(agent.told()).toContain('TASK-020-idle.md');
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
