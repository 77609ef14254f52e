import { afterAll, expect, it } from 'vitest';
import { documented, QueueProject } from '../support/queue-project.ts';
import { type PlayedFeature, turnOf } from '../support/run-project.ts';

const made: QueueProject[] = [];
afterAll(async () => {
  for (const project of made) await project.cleanup();
});

/** Both write the same file; the second to complete has to take the other's line in. */
function line(name: string, other: string): PlayedFeature {
  const check = `${name} is listed`;
  return {
    id: `FEAT-${name}`,
    type: 'documentation',
    verify: { checks: [{ name: check, command: `grep -q ${name} docs/list.md` }] },
    turns: [
      {
        ...turnOf({ 'docs/list.md': `${name}\n` }, check),
        player: { ...turnOf({ 'docs/list.md': `${name}\n` }, check).player, run: ['sleep 2'] },
      },
      turnOf({ 'docs/list.md': `${other}\n${name}\n` }, check),
    ],
  };
}

it('[MANY-2] a feature that conflicts with one completed meanwhile gets another turn on the new tip', async () => {
  const project = await QueueProject.create([line('A', 'B'), line('B', 'A')]);
  made.push(project);
  const { branch } = await project.queueJson<{ branch: string }>('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-A', 'FEAT-B');
  const workers = ['one', 'two'].map((name) => project.worker(project.machine(name), ['--until-empty']));
  await Promise.all(workers.map(({ exited }) => exited));
  const printed = workers.map(({ output }) => output()).join('\n');
  expect(await project.states(), printed).toEqual({ 'FEAT-A': 'completed', 'FEAT-B': 'completed' });
  const apart = await project.shared('integration_failed');
  expect(apart, printed).toMatchObject([{ body: { conflicts: ['docs/list.md'] } }]);
  expect(await project.shared('attempt_failed')).toEqual([]);
  project.git('fetch', '--quiet', 'origin', branch);
  const list = project.git('show', 'FETCH_HEAD:docs/list.md').split('\n');
  expect(list.sort()).toEqual(['A', 'B']);
});

it('[MANY-2] a feature whose check fails together with one completed meanwhile gets another turn on the new tip', async () => {
  const check = 'A fits B';
  const turn = turnOf({ 'docs/a.md': 'A\n' }, check);
  const first: PlayedFeature = {
    id: 'FEAT-A',
    type: 'documentation',
    verify: { checks: [{ name: check, command: 'test ! -e docs/b.md || grep -q B docs/a.md' }] },
    // B is completed while the agent works.
    turns: [
      { ...turn, player: { ...turn.player, run: ['sleep 25'] } },
      turnOf({ 'docs/a.md': 'A and B\n' }, check),
    ],
  };
  const project = await QueueProject.create([first, documented('B')]);
  made.push(project);
  const { branch } = await project.queueJson<{ branch: string }>('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-A', 'FEAT-B');
  const workers = ['one', 'two'].map((name) => project.worker(project.machine(name), ['--until-empty']));
  await Promise.all(workers.map(({ exited }) => exited));
  const printed = workers.map(({ output }) => output()).join('\n');
  expect(await project.states(), printed).toEqual({ 'FEAT-A': 'completed', 'FEAT-B': 'completed' });
  const apart = await project.shared('integration_failed');
  expect(apart, printed).toMatchObject([{ body: { feature_id: 'FEAT-A', conflicts: [] } }]);
  expect(project.sandbox.git('remote.git', 'show', `${branch}:docs/a.md`)).toBe('A and B');
});
