import { beforeAll, describe, expect, it } from 'vitest';
import {
  PersonBesideAgent,
  TASK,
  taskText,
  whyNoPersonBesideAgent,
} from '../../support/person-beside-agent.ts';
import { TIERS } from '../../support/protection-tiers.ts';
import { bash, DONE } from '../../support/scripted-claude.ts';
import type { VerifiedJson } from '../../support/verified-project.ts';
import { acceptAll, objections, pendingPaths, SESSION_MS } from './persons-work.ts';

const GUARD = '.guardkit/guards/no-deploy.yaml';
const guardText = (mode: string) =>
  `id: no-deploy\nsummary: Only people deploy.\nmode: ${mode}\ncommands:\n  - {program: deploy}\ndecision: deny\nreason: Only people deploy.\nguidance: Ask for it.\n`;

/** Commits a version of a file to a branch without touching the working files. */
const plumbing = (path: string, from: string, ref: string) => `set -e
blob=$(git hash-object -w ${from})
git update-index --add --cacheinfo 100644,$blob,${path}
tree=$(git write-tree)
git update-ref ${ref} $(git commit-tree $tree -p HEAD -m 'A small repair')
`;

describe.skipIf(whyNoPersonBesideAgent()).each(TIERS)(
  'a definition from an agent’s git plumbing (tier: %s)',
  (tier) => {
    let world: PersonBesideAgent;
    beforeAll(async () => {
      world = await PersonBesideAgent.start(tier);
      await world.save(GUARD, guardText('enforce'));
      await world.person.do(`git add -A && git commit -q -m 'Only people deploy'`);
      await world.person.do('git checkout -q -b work');
      return () => world.end();
    });

    const pending = () => pendingPaths(world);
    const criteria = async () => {
      const { criteria: found } = await world.json<VerifiedJson>('guardkit verify TASK-001');
      return found.map(({ text }) => text);
    };
    /** How often the guard refuses one more deployment. */
    const deploy = async (): Promise<number> => {
      const before = objections(world).length;
      const agent = await world.agent([bash('deploy now'), DONE]);
      await agent.ended;
      return objections(world).length - before;
    };

    it(
      'is pending as a task, without effect on verify until a person accepts it',
      async () => {
        await world.save('easy.md', taskText('TASK-001', 'anything goes'));
        await world.save('plumb.sh', plumbing(TASK, 'easy.md', 'HEAD'));
        const agent = await world.agent([bash('sh ./plumb.sh'), DONE]);
        await agent.ended;
        expect(world.git('show', `HEAD:${TASK}`)).toContain('anything goes');
        expect(await pending()).toContain(TASK);
        expect(await criteria()).toEqual(['the cart is empty']);
        await world.person.do(`git checkout -q HEAD -- ${TASK}`);
        expect(await criteria()).toEqual(['the cart is empty']);
        await acceptAll(world);
        expect(await pending()).not.toContain(TASK);
        expect(await criteria()).toEqual(['anything goes']);
      },
      SESSION_MS,
    );

    it(
      'is not in force as a guard after the person’s own git commit -am, only after guardkit accept',
      async () => {
        expect(await deploy()).toBe(1);
        await world.save('off.yaml', guardText('off'));
        await world.save('plumb.sh', plumbing(GUARD, 'off.yaml', 'refs/heads/repair'));
        await world.save('take.sh', `git reset -q; git checkout -q repair -- ${GUARD}\n`);
        const agent = await world.agent([bash('sh ./plumb.sh'), bash('git stash list; sh ./take.sh'), DONE]);
        await agent.ended;
        expect(world.read(GUARD)).toContain('mode: off');
        await world.person.do(`git commit -q -am 'Work of the day'`);
        expect(await pending()).toContain(GUARD);
        expect(await deploy()).toBe(1);
        await acceptAll(world);
        expect(await pending()).not.toContain(GUARD);
        expect(await deploy()).toBe(0);
      },
      SESSION_MS,
    );

    it(
      'stays pending when an agent moves main instead',
      async () => {
        await world.save('easy.md', taskText('TASK-001', 'nothing is asked for'));
        await world.save('plumb.sh', plumbing(TASK, 'easy.md', 'refs/heads/main'));
        const agent = await world.agent([bash('sh ./plumb.sh; git reset -q'), DONE]);
        await agent.ended;
        await world.person.do('git stash -q -u; git merge -q --no-edit main');
        expect(await criteria()).not.toContain('nothing is asked for');
      },
      SESSION_MS,
    );
  },
);
