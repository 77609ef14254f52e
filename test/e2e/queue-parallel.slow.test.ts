import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { documented, QueueProject } from '../support/queue-project.ts';

const made: QueueProject[] = [];
afterAll(async () => {
  for (const project of made) await project.cleanup();
});

async function queueProject(...args: Parameters<typeof QueueProject.create>): Promise<QueueProject> {
  const project = await QueueProject.create(...args);
  made.push(project);
  return project;
}

test('[MANY-2] two workers build queued features at the same time, and dependants wait', async () => {
  const features = [documented('A', { turns: 2, run: ['sleep 1'] }), documented('B', { run: ['sleep 1'] })];
  const project = await queueProject([...features, documented('C', { needs: ['FEAT-A'] })]);
  const { branch } = await project.queueJson<{ branch: string }>('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-C', 'FEAT-A', 'FEAT-B');
  const workers = ['one', 'two'].map((name) => project.worker(project.machine(name), ['--until-empty']));
  const codes = await Promise.all(workers.map(({ exited }) => exited));
  const printed = workers.map(({ output }) => output()).join('\n');
  expect(codes, printed).toEqual([0, 0]);
  const completed = { 'FEAT-A': 'completed', 'FEAT-B': 'completed', 'FEAT-C': 'completed' };
  expect(await project.states(), printed).toEqual(completed);
  const order = (await project.shared('feature_stacked')).map(({ feature }) => feature);
  expect(order.indexOf('FEAT-C')).toBeGreaterThan(order.indexOf('FEAT-A'));
  const files = project.sandbox.git('remote.git', 'ls-tree', '-r', '--name-only', branch, 'docs').split('\n');
  expect(files).toEqual(expect.arrayContaining(['docs/a.md', 'docs/b.md', 'docs/c.md']));
  await project.expectWhole();
});

const runWithWorkers = (project: QueueProject, ...args: string[]) =>
  project.sandbox.program(
    [...['run', '--driver', 'script', '--scenario', project.scenarioFile, '--json'], ...args],
    { in: 'calc', env: { GUARDKIT_DATABASE_URL: project.url } },
  );

test('[MANY-2] run --workers builds all features of the project on this machine', async () => {
  const project = await queueProject([documented('A'), documented('B')]);
  await project.queueJson('queue', 'init');
  const { stdout, stderr, exitCode } = await runWithWorkers(project, '--workers', '2');
  expect(exitCode, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ items: [{ state: 'completed' }, { state: 'completed' }] });
});

test('[MANY-2] the budget of run --workers does not exceed the project’s, and does not outlast the run', async () => {
  const project = await queueProject([documented('A', { costUsd: 1 }), documented('B', { costUsd: 1 })]);
  await project.queueJson('queue', 'init', '--budget-usd', '0.5');
  const args = ['--workers', '1', '--budget-usd', '50'];
  const { stdout, exitCode } = await runWithWorkers(project, ...args);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ items: [{ state: 'stopped' }, { state: 'stopped' }] });
  expect(await project.queueJson('queue', 'list')).toMatchObject({ budget_usd: 0.5 });
});

test('[MANY-2] a cancelled build stops, its agents end, and the feature can be queued again', async () => {
  const project = await queueProject([documented('A', { run: ['sleep 60'] })]);
  await project.queueJson('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-A');
  const worker = project.worker(project.machine('one'));
  await project.begun(1);
  await project.queueJson('queue', 'cancel', 'FEAT-A');
  await project.free(worker);
  expect(await project.states(), worker.output()).toEqual({ 'FEAT-A': 'cancelled' });
  await project.queueJson('queue', 'add', 'FEAT-A');
  await project.begun(2);
  expect((await project.claimOf(worker))?.epoch, worker.output()).toBe(2);
});

test('[MANY-2] workers together do not spend more than the budget, and a feature over it stops', async () => {
  const names = ['A', 'B', 'C', 'D'];
  const project = await queueProject(names.map((name) => documented(name, { costUsd: 1 })));
  await project.queueJson('queue', 'init', '--budget-usd', '2');
  await project.queueJson('queue', 'add', ...names.map((name) => `FEAT-${name}`));
  const workers = ['one', 'two'].map((name) => project.worker(project.machine(name), ['--until-empty']));
  await Promise.all(workers.map(({ exited }) => exited));
  const states = Object.values(await project.states());
  expect(states.filter((state) => state === 'completed').length).toBeLessThanOrEqual(2);
  expect(states).toContain('stopped');
  const [spent] = await project.sql(
    'SELECT sum(coalesce(spent_usd, usd)) AS usd FROM guardkit_queue.reservation',
  );
  expect(Number(spent?.usd)).toBeLessThanOrEqual(3);
});

test('[MANY-2] the most urgent features are built first, and at most as many at a time as the project allows', async () => {
  const names = ['A', 'B', 'C'];
  const project = await queueProject(names.map((name) => documented(name)));
  const config = project.sandbox.path('calc', '.guardkit', 'config.yaml');
  writeFileSync(config, `${readFileSync(config, 'utf8')}queue:\n  limit: 1\n`);
  project.git('commit', '--quiet', '--all', '--message', 'One at a time');
  project.git('push', '--quiet', 'origin', 'main');
  await project.queueJson('queue', 'init');
  for (const [index, name] of names.entries())
    await project.queueJson('queue', 'add', `FEAT-${name}`, '--priority', String(9 - index));
  const workers = ['one', 'two'].map((name) => project.worker(project.machine(name), ['--until-empty']));
  const codes = await Promise.all(workers.map(({ exited }) => exited));
  expect(codes, workers.map(({ output }) => output()).join('\n')).toEqual([0, 0]);
  const claims = await project.sql(
    'SELECT feature, taken_at, released_at FROM guardkit_queue.claim ORDER BY taken_at',
  );
  expect(claims.map(({ feature }) => feature)).toEqual(['FEAT-C', 'FEAT-B', 'FEAT-A']);
  for (const [index, { taken_at }] of claims.entries())
    if (index > 0) expect(Number(taken_at)).toBeGreaterThanOrEqual(Number(claims[index - 1]?.released_at));
});
