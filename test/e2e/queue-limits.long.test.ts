import { afterAll, expect, it } from 'vitest';
import { documented, QueueProject } from '../support/queue-project.ts';

const made: QueueProject[] = [];
afterAll(async () => {
  for (const project of made) await project.cleanup();
});

it('[MANY-3] a feature whose workers keep dying is given up, and can be queued again', async () => {
  const project = await QueueProject.create([documented('A', { run: ['sleep 2'] })]);
  made.push(project);
  await project.queueJson('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-A');
  const first = project.worker(project.machine('one'));
  await project.begun(1);
  // As if twenty others had died before.
  await project.sql('UPDATE guardkit_dbos.workflow_status SET recovery_attempts = 21');
  first.child.kill('SIGKILL');
  const machine = project.machine('two');
  const second = project.worker(machine, ['--until-empty']);
  expect(await second.exited, second.output()).toBe(0);
  const { items } = await project.queueJson<{ items: unknown[] }>('queue', 'list');
  expect(items, second.output()).toMatchObject([
    { state: 'failed', why: expect.stringContaining('guardkit queue add FEAT-A') },
  ]);
  await project.queueJson('queue', 'add', 'FEAT-A');
  const third = project.worker(machine, ['--until-empty']);
  expect(await third.exited, third.output()).toBe(0);
  expect(await project.states(), third.output()).toEqual({ 'FEAT-A': 'completed' });
  await project.expectWhole();
});

it('[MANY-3] a feature that outlives its workers is built on, as long as its turns are judged', async () => {
  const project = await QueueProject.create([documented('A', { turns: 2, run: ['sleep 2'] })]);
  made.push(project);
  await project.queueJson('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-A');
  const first = project.worker(project.machine('one'));
  await project.begun(2);
  await project.sql('UPDATE guardkit_dbos.workflow_status SET recovery_attempts = 21');
  first.child.kill('SIGKILL');
  const second = project.worker(project.machine('two'), ['--until-empty']);
  expect(await second.exited, second.output()).toBe(0);
  expect(await project.states(), second.output()).toEqual({ 'FEAT-A': 'completed' });
  await project.expectWhole();
});

it('[MANY-3] a build that a worker got without learning of it is not lost', async () => {
  const project = await QueueProject.create(['A', 'B'].map((name) => documented(name, { run: ['sleep 2'] })));
  made.push(project);
  await project.queueJson('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-A', 'FEAT-B');
  const worker = project.worker(project.machine('one'), ['--until-empty']);
  await project.begun(1);
  // As if the server had restarted just after it gave the second build to the worker.
  const given = `UPDATE guardkit_dbos.workflow_status SET status = 'PENDING', updated_at = 0,
    executor_id = (SELECT id FROM guardkit_queue.worker) WHERE status = 'ENQUEUED' RETURNING workflow_uuid`;
  expect(await project.sql(given)).toHaveLength(1);
  expect(await worker.exited, worker.output()).toBe(0);
  expect(await project.states(), worker.output()).toEqual({ 'FEAT-A': 'completed', 'FEAT-B': 'completed' });
});

it('[MANY-3] a turn that the end of the shared budget stops is judged after the budget is raised', async () => {
  const project = await QueueProject.create([documented('A', { turns: 3, costUsd: 0.1 })]);
  made.push(project);
  await project.queueJson('queue', 'init', '--budget-usd', '0.15');
  const machine = project.machine('one');
  const build = async () => {
    await project.queueJson('queue', 'add', 'FEAT-A');
    const worker = project.worker(machine, ['--until-empty']);
    expect(await worker.exited, worker.output()).toBe(0);
    return worker.output();
  };
  const printed = await build();
  expect(await project.states(), printed).toEqual({ 'FEAT-A': 'stopped' });
  expect(await project.steps('committed')).toHaveLength(1);
  expect(await project.steps('cancelled')).toMatchObject([{ turn_number: 2, data: { role: 'player' } }]);
  await project.queueJson('queue', 'init', '--budget-usd', '5');
  const after = await build();
  expect(await project.states(), after).toEqual({ 'FEAT-A': 'completed' });
  const turns = async (step: string) => (await project.steps(step)).map((one) => one.turn_number);
  expect(await turns('judged')).toEqual(await turns('committed'));
  await project.expectWhole();
});

it('[MANY-2] one worker builds the features of two projects', async () => {
  const features = [documented('A'), documented('B')];
  const one = await QueueProject.create(features);
  made.push(one);
  const two = await QueueProject.create(features, one.url);
  made.push(two);
  two.rename('other-5678');
  for (const [project, feature] of [
    [one, 'FEAT-A'],
    [two, 'FEAT-B'],
  ] as const) {
    await project.queueJson('queue', 'init');
    await project.queueJson('queue', 'add', feature);
  }
  const machine = one.machine('worker');
  const clones = [machine.clone, two.machine('worker').clone];
  const both = one.worker(machine, [...clones.flatMap((clone) => ['--project', clone]), '--until-empty']);
  expect(await both.exited, both.output()).toBe(0);
  expect(await one.states(), both.output()).toEqual({ 'FEAT-A': 'completed', 'FEAT-B': 'completed' });
  const workers = await one.sql('SELECT projects FROM guardkit_queue.worker ORDER BY projects');
  expect(workers).toEqual([{ projects: ['calc-1234'] }, { projects: ['other-5678'] }]);
  for (const project of [one, two])
    expect(await project.queueJson('ledger', 'verify', '--all')).toMatchObject({ shared: { ok: true } });
});
