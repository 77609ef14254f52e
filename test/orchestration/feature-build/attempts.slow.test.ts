import { expect, it } from 'vitest';
import { buildProjects, DOCS_FILES, docsTurn } from '../../support/build-project.ts';
import { further } from '../../support/thorough.ts';

const newProject = buildProjects(DOCS_FILES);
const IDLE = [
  {
    player: { report: { decision: 'implemented', summary: 'Thought about it' } },
    coach: { verdict: { decision: 'feedback', feedback: 'Write it down' } },
  },
];
const ONCE = ['--max-turns', '1'];

const BLOCKED = { list: 'blocked', show: 'blocked', next: undefined };

/** The feature as commands show it. */
async function shownStates(project: ReturnType<typeof newProject>) {
  const json = async (...args: string[]) => JSON.parse((await project.guardkit([...args, '--json'])).stdout);
  return {
    list: (await json('feature', 'list')).features[0].status,
    show: (await json('feature', 'show', 'TASK-001')).status,
    next: (await json('feature', 'next')).next?.id,
  };
}

it('two failed attempts block a feature until a person resets one of its tasks [BUILD-9]', async () => {
  const project = newProject();
  for (const _attempt of [1, 2]) expect((await project.build(IDLE, ONCE)).json.outcome).toBe('max_turns');
  expect(await shownStates(project)).toEqual(BLOCKED);
  const blocked = await project.tryBuild([docsTurn('guide')]);
  expect(blocked).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('build.blocked') });
  expect(blocked.stderr).toMatch(/\b2\b.*guardkit explain.*guardkit feature unblock.*guardkit task reset/s);
  expect(project.entries().filter(({ kind }) => kind === 'build_began')).toHaveLength(2);
  const reset = await project.guardkit(['task', 'reset', 'TASK-001', '--reason', 'clearer now'], {
    person: true,
    input: 'y\n',
  });
  expect(reset.exitCode, reset.stderr).toBe(0);
  expect(await shownStates(project)).toEqual({
    ...BLOCKED,
    list: 'pending',
    show: 'pending',
    next: 'TASK-001',
  });
  const built = await project.build([docsTurn('guide')]);
  expect(built.json.outcome, built.stderr).toBe('approved');
  // Numbers are never used twice, and a fresh start sees no earlier turns.
  expect(built.turns.map(({ turn_number, mode }) => [turn_number, mode])).toEqual([[3, 'fresh_start']]);
});

it('--resume continues the same attempt of a blocked feature, which is then no longer blocked [BUILD-9]', async () => {
  const project = newProject();
  for (const _attempt of [1, 2]) await project.build(IDLE, ONCE);
  const built = await project.build([docsTurn('guide')], ['--resume', ...ONCE]);
  expect(built.json.outcome, built.stderr).toBe('approved');
  expect((await shownStates(project)).list).toBe('pending');
  expect(built.turns.map(({ turn_number, mode }) => [turn_number, mode])).toEqual([
    [2, 'continuing_work'],
    [3, 'recovering_state'],
  ]);
  expect(project.entries().filter(({ kind }) => kind === 'build_began')).toHaveLength(2);
});

further(
  'an unblocked feature can be built again, and its attempts are counted from zero [BUILD-9]',
  async () => {
    const project = newProject();
    for (const _attempt of [1, 2]) await project.build(IDLE, ONCE);
    const asked = ['feature', 'unblock', 'TASK-001', '--reason', 'clearer now'];
    const freed = await project.guardkit(asked, { person: true, input: 'y\n' });
    expect(freed.exitCode, freed.stderr).toBe(0);
    expect((await project.build(IDLE, ONCE)).json.outcome).toBe('max_turns');
    expect((await shownStates(project)).list).toBe('pending');
    await project.build(IDLE, ONCE);
    expect((await shownStates(project)).list).toBe('blocked');
  },
);

it('a build resumed after a budget stop has its full budget again [BUILD-10]', async () => {
  const project = newProject();
  const costly = IDLE.map(({ player, coach }) => ({ player: { ...player, cost_usd: 2 }, coach }));
  const budget = ['--budget-usd', '1'];
  expect((await project.build(costly, budget)).json.outcome).toBe('budget');
  const turns = project.recordedTurns().length;
  const resumed = await project.build(costly, ['--resume', ...budget]);
  expect(resumed.json.outcome).toBe('budget');
  expect(project.recordedTurns()).toHaveLength(turns + 1);
});

it('an agent without a login ends the build at once, without counting an attempt [BUILD-9]', async () => {
  const project = newProject();
  const lockedOut = [{ player: { fail: 'locked_out' } }];
  for (const _attempt of [1, 2]) {
    const { exitCode, stdout } = await project.tryBuild(lockedOut);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 3,
      stdout: expect.stringContaining('driver.locked-out'),
    });
    const { stdout: status } = await project.guardkit(['status', '--json']);
    expect(JSON.parse(status).built).toEqual([
      { feature: 'TASK-001', outcome: 'interrupted', why: expect.stringContaining('cannot use its account') },
    ]);
  }
  const built = await project.build([docsTurn('guide')]);
  expect(built.json.outcome, built.stderr).toBe('approved');
});
