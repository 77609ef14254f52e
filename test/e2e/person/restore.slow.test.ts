import { beforeAll, describe, expect, it } from 'vitest';
import { PersonBesideAgent, REVIEWER, whyNoPersonBesideAgent } from '../../support/person-beside-agent.ts';
import { TIERS } from '../../support/protection-tiers.ts';
import { bash, DONE } from '../../support/scripted-claude.ts';
import { expectKept, SESSION_MS } from './persons-work.ts';

const NEWER = 'Newer words of Ada.\n';

describe.skipIf(whyNoPersonBesideAgent()).each(TIERS)('guardkit restore (tier: %s)', (tier) => {
  let world: PersonBesideAgent;
  beforeAll(async () => {
    world = await PersonBesideAgent.start(tier);
    return () => world.end();
  });

  it(
    'restores in one command what the person saved in a tracked file during the agent’s git command',
    async () => {
      const points = world.points();
      const agent = await world.agent(
        [bash(`git checkout -q HEAD -- src; ${points.wait('git')}`), DONE],
        points,
      );
      await agent.reached('git');
      const saved = await world.save(REVIEWER, 'Words of Ada.\n', { mode: 0o755 });
      await agent.finish('git');
      await expectKept(world, agent, REVIEWER, saved, { exception: true });
      expect(world.entries('violation_recorded')).toEqual([]);
      await world.person.do(`git checkout -q ${REVIEWER}`);
    },
    SESSION_MS,
  );

  it(
    'reverts an agent’s change, keeps it with its mode, and notifies agent and person',
    async () => {
      const original = world.state(REVIEWER);
      await world.save('spoil.sh', `chmod 755 ${REVIEWER}; echo spoiled >> ${REVIEWER}\n`);
      const agent = await world.agent([bash('git stash list; sh ./spoil.sh'), DONE]);
      await agent.ended;
      expect(world.state(REVIEWER)).toEqual(original);
      expect(world.entries('file_restored').at(-1)).toMatchObject({ path: REVIEWER });
      expect(agent.answers().agent).toContain(REVIEWER);
      expect(agent.answers().person).toContain(REVIEWER);
    },
    SESSION_MS,
  );

  it(
    'asks before it replaces a newer edit, and keeps that edit too',
    async () => {
      const newer = await world.save(REVIEWER, NEWER, { mode: 0o600 });
      await world.person.answer(`guardkit restore ${REVIEWER}`, () => 'n');
      expect(world.state(REVIEWER)).toEqual(newer);
      expect(await world.person.run(`guardkit restore --yes ${REVIEWER}`)).toBe(0);
      expect(world.state(REVIEWER)?.text).toContain('spoiled');
      expect(world.state(REVIEWER)?.mode).toBe(0o755);
      expect(await world.person.run(`guardkit restore --yes ${REVIEWER}`)).toBe(0);
      expect(world.state(REVIEWER)).toEqual(newer);
    },
    SESSION_MS,
  );

  it('is in the log with the file and the agent', async () => {
    const { events } = await world.json<{ events: { kind: string; text: string; who: string[] }[] }>(
      'guardkit log --kind restores',
    );
    const agents = events.filter(({ text, who }) => text.includes(REVIEWER) && who.includes('claude'));
    expect(agents.length).toBeGreaterThanOrEqual(1);
  });

  it('lists every replaced version', async () => {
    const { versions } = await world.json<{ versions: { path: string; version: number }[] }>(
      'guardkit restore',
    );
    const listed = versions.filter(({ path }) => path === REVIEWER);
    expect(listed.length).toBeGreaterThanOrEqual(3);
  });
});
