import { afterAll, beforeAll, expect, it } from 'vitest';
import { documented, QueueProject } from '../support/queue-project.ts';
import { RestartablePostgres } from '../support/restartable-postgres.ts';

let server: RestartablePostgres;
let project: QueueProject;
beforeAll(async () => {
  server = await RestartablePostgres.start('tls');
  project = await QueueProject.create([documented('A')], server.trusting('ca'));
});
afterAll(async () => {
  await project?.cleanup();
  await server?.stop();
});

it('[MANY-2] workers reach a server that accepts only TLS, by the authority that the URL names', async () => {
  await project.queueJson('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-A');
  const worker = project.worker(project.machine('one'));
  await project.begun(1);
  // Also the engine's own connections.
  const connections = await project.sql(
    `SELECT count(*) FILTER (WHERE ssl)::integer AS encrypted, count(*)::integer AS all
     FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'tester'`,
  );
  expect(connections[0]?.encrypted).toBe(connections[0]?.all);
  expect(Number(connections[0]?.all)).toBeGreaterThan(4);
  await project.free(worker);
  expect(await project.states(), worker.output()).toEqual({ 'FEAT-A': 'completed' });
  worker.child.kill('SIGTERM');
  expect(await worker.exited, worker.output()).toBe(0);
});

it('[MANY-2] a server whose certificate another authority signed is a clear error', async () => {
  project.url = server.trusting('other');
  for (const args of [
    ['queue', 'init'],
    ['queue', 'list'],
    ['worker', '--concurrency', '1'],
  ]) {
    const { stdout, exitCode } = await project.queue(...args);
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'store.tls' } });
  }
});

it('[MANY-2] a URL without TLS is refused by the server, with a clear error', async () => {
  project.url = server.url;
  const { stdout } = await project.queue('queue', 'list');
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'store.denied' } });
});
