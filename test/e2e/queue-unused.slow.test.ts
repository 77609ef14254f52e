import { afterAll, expect, it } from 'vitest';
import { documented, QueueProject } from '../support/queue-project.ts';

const made: QueueProject[] = [];
afterAll(async () => {
  for (const project of made.reverse()) await project.cleanup();
});

it('[MANY-1] a database URL alone changes nothing: no queue is created, and none that others use', async () => {
  const project = await QueueProject.create([documented('A')]);
  made.push(project);
  project.rename('alone-1234');
  const run = await project.queue('run', '--driver', 'script', '--scenario', project.scenarioFile);
  expect(run.exitCode, run.stderr).toBe(0);
  expect(await project.queueJson('feature', 'show', 'FEAT-A')).toMatchObject({ status: 'completed' });
  const schemas = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'guardkit%' ORDER BY nspname";
  expect(await project.sql(schemas)).toEqual([{ nspname: 'guardkit' }]);
  expect(project.remoteRefs()).toEqual(['refs/heads/main']);
  const other = await QueueProject.create([documented('A')], project.url);
  made.push(other);
  await other.queueJson('queue', 'init');
  await project.queue('verify', 'FEAT-A');
  expect(await project.sql('SELECT project FROM guardkit_queue.project')).toEqual([{ project: 'calc-1234' }]);
  const own = await project.sql("SELECT kind FROM guardkit_queue.entry WHERE project = 'alone-1234'");
  expect(own).toEqual([]);
});
