import { spawn } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { documented, type Machine, QueueProject } from '../support/queue-project.ts';
import { freePort } from '../support/restartable-postgres.ts';

const made: QueueProject[] = [];
afterAll(async () => {
  for (const project of made) await project.cleanup();
});

async function queueProject(...args: Parameters<typeof QueueProject.create>): Promise<QueueProject> {
  const project = await QueueProject.create(...args);
  made.push(project);
  await project.queueJson('queue', 'init');
  return project;
}

/** Serves the remote over the network; returns how to end that. */
function serveGit(project: QueueProject, port: number): () => void {
  const line = ['daemon', '--reuseaddr', '--export-all', '--enable=receive-pack', '--listen=127.0.0.1'];
  const daemon = spawn('git', [...line, `--port=${port}`, `--base-path=${project.sandbox.folder}`], {
    env: project.sandbox.env,
    stdio: 'ignore',
    detached: true,
  });
  return () => {
    if (daemon.exitCode === null && daemon.signalCode === null) process.kill(-Number(daemon.pid), 'SIGKILL');
  };
}

/** Every `Date` of the program and its threads is off. */
const OFF_CLOCK = `
const offset = Number(process.env.OFF_BY_MS);
const real = Date;
globalThis.Date = new Proxy(real, {
  construct: (target, args, self) => Reflect.construct(target, args.length > 0 ? args : [real.now() + offset], self),
  apply: () => String(new real(real.now() + offset)),
  get: (target, name) => (name === 'now' ? () => real.now() + offset : Reflect.get(target, name)),
});
`;

it('[MANY-3] the clocks of machines may be off by an hour', async () => {
  const features = ['A', 'B'].map((name) => documented(name, { run: ['sleep 4'] }));
  const project = await queueProject(features);
  await project.queueJson('queue', 'add', ...features.map(({ id }) => id));
  const script = project.sandbox.write('off-clock.cjs', OFF_CLOCK);
  const off = (machine: Machine, hours: number): Machine => ({
    ...machine,
    env: { ...machine.env, NODE_OPTIONS: `--require=${script}`, OFF_BY_MS: String(hours * 3_600_000) },
  });
  const began = Date.now();
  const early = project.worker(off(project.machine('early'), -1), ['--until-empty']);
  const late = project.worker(off(project.machine('late'), 1), ['--until-empty']);
  await project.begun(2);
  const claim = await project.claimOf(late);
  late.child.kill('SIGKILL');
  if (claim) await project.takeover(claim);
  expect(await early.exited, early.output()).toBe(0);
  expect(await project.states(), early.output()).toEqual(
    Object.fromEntries(features.map(({ id }) => [id, 'completed'])),
  );
  // Nobody took the other's clock for silence, and only the server's counts in the chain.
  const ends = await project.sql('SELECT pid, why FROM guardkit_queue.worker');
  expect(ends).toContainEqual({ pid: early.child.pid, why: 'ended' });
  expect(ends).toContainEqual({ pid: late.child.pid, why: 'connection closed' });
  for (const { at } of await project.shared('turn_step')) {
    expect(Number(at)).toBeGreaterThan(began - 60_000);
    expect(Number(at)).toBeLessThan(Date.now() + 60_000);
  }
  await project.expectWhole();
});

it('[MANY-2] a remote that refuses a push fails the feature, whose turn is kept and judged later', async () => {
  const project = await queueProject([documented('A', { turns: 2 })]);
  await project.queueJson('queue', 'add', 'FEAT-A');
  const hook = project.sandbox.write(
    'remote.git/hooks/pre-receive',
    '#!/bin/sh\necho "read only" >&2\nexit 1\n',
  );
  chmodSync(hook, 0o755);
  const machine = project.machine('one');
  const first = project.worker(machine, ['--until-empty']);
  await first.exited;
  const { items } = await project.queueJson<{ items: { state: string; why: string }[] }>('queue', 'list');
  expect(items, first.output()).toMatchObject([
    { state: 'failed', why: expect.stringContaining('refs/guardkit') },
  ]);
  // Nothing counts whose commit only this machine has.
  expect(await project.steps('committed')).toEqual([]);
  rmSync(hook);
  await project.queueJson('queue', 'add', 'FEAT-A');
  const second = project.worker(machine, ['--until-empty']);
  expect(await second.exited, second.output()).toBe(0);
  expect(await project.states(), second.output()).toEqual({ 'FEAT-A': 'completed' });
  await project.expectWhole();
});

it('[MANY-2] a remote that is away for a while fails no feature', async () => {
  const project = await queueProject([documented('A')]);
  await project.queueJson('queue', 'add', 'FEAT-A');
  const machine = project.machine('one');
  const port = await freePort();
  project.sandbox.git('one/calc', 'remote', 'set-url', 'origin', `git://127.0.0.1:${port}/remote.git`);
  const worker = project.worker(machine, ['--until-empty']);
  while (!worker.output().includes('git fetch with the remote')) await sleep(100);
  expect(await project.states()).toEqual({ 'FEAT-A': 'building' });
  const stop = serveGit(project, port);
  try {
    expect(await worker.exited, worker.output()).toBe(0);
    expect(await project.states(), worker.output()).toEqual({ 'FEAT-A': 'completed' });
    expect(await project.steps('began')).toHaveLength(1);
  } finally {
    stop();
  }
});

it('[MANY-2] a remote that goes away during a turn does not cost the turn', async () => {
  const project = await queueProject([documented('A', { run: ['sleep 2'] })]);
  await project.queueJson('queue', 'add', 'FEAT-A');
  const machine = project.machine('one');
  const port = await freePort();
  project.sandbox.git('one/calc', 'remote', 'set-url', 'origin', `git://127.0.0.1:${port}/remote.git`);
  let stop = serveGit(project, port);
  try {
    const worker = project.worker(machine, ['--until-empty']);
    await project.begun(1);
    stop();
    while (!worker.output().includes('Trying again until it works')) await sleep(100);
    stop = serveGit(project, port);
    expect(await worker.exited, worker.output()).toBe(0);
    expect(await project.states(), worker.output()).toEqual({ 'FEAT-A': 'completed' });
    expect(await project.steps('began')).toHaveLength(1);
  } finally {
    stop();
  }
});

it('[MANY-2] a worker whose GuardKit is too old for the chain ends, and others build its feature', async () => {
  const project = await queueProject([documented('A', { turns: 2, run: ['sleep 2'] })]);
  await project.queueJson('queue', 'add', 'FEAT-A');
  const worker = project.worker(project.machine('one'));
  await project.begun(1);
  await project.sql(`SELECT guardkit_queue.append(project, feature, epoch, worker, 'elsewhere', 0, '', 'newer',
    '[{"kind": "from_the_future", "body": "{}", "key": null}]') FROM guardkit_queue.claim`);
  expect(await worker.exited, worker.output()).toBe(3);
  expect(worker.output()).toContain('from_the_future');
  expect(await project.states()).toEqual({ 'FEAT-A': 'building' });
  expect(await project.isAlive(worker)).toBe(false);
});
