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
import type { PersonTerminal } from '../../support/person-terminal.ts';
import { TIERS } from '../../support/protection-tiers.ts';
import { bash, DONE, type HookAnswers } from '../../support/scripted-claude.ts';
import { expectNoBlame, harmlessSession, pendingPaths, SESSION_MS } from './persons-work.ts';

const PROPOSED = 'tasks/backlog/TASK-030-proposed.md';

describe.skipIf(whyNoPersonBesideAgent()).each(TIERS)(
  'a person works in a terminal that was opened during an action (tier: %s)',
  (tier) => {
    let world: PersonBesideAgent;
    let before: HookAnswers;
    let later: PersonTerminal;
    beforeAll(async () => {
      world = await PersonBesideAgent.start(tier);
      before = await harmlessSession(world);
      return () => world.end();
    });

    it(
      'and accepts a proposed task there after the agent has exited',
      async () => {
        const points = world.points();
        const propose = use('Write', {
          file_path: world.path(PROPOSED),
          content: taskText('TASK-030', 'was proposed by an agent'),
        });
        const agent = await world.agent([propose, bash(points.wait('running')), DONE], points);
        await agent.reached('running');
        later = world.openTerminal();
        await later.do('true');
        await agent.finish('running');
        expect(world.read(PROPOSED)).toContain('was proposed by an agent');
        expect(await pendingPaths(world, later)).toContain(PROPOSED);
        expect(await later.answer('guardkit accept', () => 'all')).toBe(0);
        expect(await pendingPaths(world, later)).toEqual([]);
        await later.do(`git add tasks && git commit -q -m 'A proposed task'`);
        expect(world.git('status', '--porcelain')).toBe('');
      },
      SESSION_MS,
    );

    it(
      'and edits there stay, with and without an agent',
      async () => {
        const saved = {
          [CONFIG]: await world.save(CONFIG, `${world.read(CONFIG)}# Later.\n`, { terminal: later }),
          [TASK]: await world.save(TASK, taskText('TASK-001', 'is later'), { terminal: later }),
          [REVIEWER]: await world.save(REVIEWER, 'Later.\n', { terminal: later }),
          '.git/hooks/pre-push': await world.save('.git/hooks/pre-push', '#!/bin/sh\n', {
            terminal: later,
            mode: 0o755,
          }),
        };
        await harmlessSession(world);
        for (const [path, state] of Object.entries(saved)) expect(world.state(path)).toEqual(state);
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
