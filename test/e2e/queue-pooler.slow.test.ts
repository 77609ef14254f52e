import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { documented, QueueProject } from '../support/queue-project.ts';
import { freePort } from '../support/restartable-postgres.ts';

/** Of Debian's package `pgbouncer`. */
const PGBOUNCER = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path));

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** The project, whose workers reach the server through PgBouncer. */
async function pooledProject(mode: 'session' | 'transaction'): Promise<QueueProject> {
  const project = await QueueProject.create([documented('A')]);
  ends.push(() => project.cleanup());
  await project.queueJson('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-A');
  const url = new URL(project.url);
  const port = await freePort();
  const settings = `[databases]
* = host=${url.hostname} port=${url.port} user=${url.username} password=${url.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`;
  const file = project.sandbox.write('pgbouncer.ini', settings);
  const asNobody = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const child = spawn(String(PGBOUNCER), [...asNobody, file], { stdio: 'ignore' });
  ends.push(() => end(child));
  url.port = String(port);
  project.url = url.href;
  while (!(await answers(port))) await sleep(50);
  return project;
}

function answers(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      settle(true);
    });
    socket.once('error', () => settle(false));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((settle) => child.once('exit', settle));
  child.kill('SIGKILL');
  await ended;
}

describe.skipIf(PGBOUNCER === undefined)('[MANY-3] behind PgBouncer', () => {
  it('in session mode a worker builds as usual', async () => {
    const project = await pooledProject('session');
    const worker = project.worker(project.machine('one'), ['--until-empty']);
    expect(await worker.exited, worker.output()).toBe(0);
    expect(await project.states(), worker.output()).toEqual({ 'FEAT-A': 'completed' });
  });

  it('in transaction mode a worker is refused, and the queue stays as it is', async () => {
    const project = await pooledProject('transaction');
    const worker = project.worker(project.machine('one'), ['--until-empty', '--json']);
    expect(await worker.exited, worker.output()).toBe(2);
    expect(worker.output()).toContain('queue.pooled');
    expect(await project.states()).toEqual({ 'FEAT-A': 'waiting' });
  });
});
