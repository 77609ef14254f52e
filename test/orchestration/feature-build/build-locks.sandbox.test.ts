import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lockFeature, runningBuilds } from '../../../src/orchestration/feature-build/build-locks.ts';
import { runCommand } from '../../../src/platform/processes/run-command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function place() {
  const home = temporaryFolder();
  const holder = join(home, 'locks', 'calc', 'FEAT-A.lock.json');
  return { home, holder, lock: () => lockFeature(home, 'calc', 'FEAT-A') };
}

/** Something that a build started and that its death does not end: no sandbox, a session of its own. */
function leftRunning(run: string) {
  const child = spawn('sleep', ['60'], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, GUARDKIT_RUN: `${randomUUID()}:${run}:${randomUUID()}` },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise<NodeJS.Signals | null>((resolve) => {
    child.on('exit', (_code, signal) => resolve(signal));
  });
}

/** As a process leaves it that was killed. */
function wasHeld(path: string, holder: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ pid: 1, since: '2026-01-01T00:00:00Z', ...holder }));
}

it.skipIf(!existsSync('/proc/self/environ'))(
  'who takes over from a killed build ends the agents that lived on, and no others [BUILD-8]',
  async () => {
    const { holder, lock } = place();
    const run = randomUUID();
    const left = leftRunning(run);
    const other = leftRunning(randomUUID());
    wasHeld(holder, { host: hostname(), run });
    const held = await lock();
    onTestFinished(() => held.release());
    expect(await left).toBe('SIGTERM');
    expect(await Promise.race([other, 'lives'])).toBe('lives');
  },
);

it.each([
  ['of another machine', { host: 'another.invalid', run: randomUUID() }],
  ['of an earlier version', { host: hostname() }],
  ['of nobody', { host: hostname(), run: '*' }],
])('a name that was left, %s, is written over', async (_name, holder) => {
  const { holder: path, lock } = place();
  wasHeld(path, holder);
  (await lock()).release();
  expect(existsSync(path)).toBe(false);
});

it('processes started under a lock carry its run marker, and none after the release', async () => {
  const { holder, lock, home } = place();
  const held = await lock();
  const { run } = JSON.parse(readFileSync(holder, 'utf8')) as { run: string };
  const marker = async () => {
    const options = { cwd: home, env: { PATH: process.env.PATH }, timeoutMs: 20_000 };
    return (await runCommand('echo $GUARDKIT_RUN', options)).stdout.trim().split(':');
  };
  expect(await marker()).toContain(run);
  held.release();
  expect(await marker()).not.toContain(run);
});

it('a build runs while its lock is held, but not if another process has its id after a restart', async () => {
  const { home, holder, lock } = place();
  const held = await lock();
  expect(runningBuilds(home, 'calc')).toMatchObject([{ feature: 'FEAT-A', pid: process.pid }]);
  const text = JSON.parse(readFileSync(holder, 'utf8'));
  held.release();
  expect(runningBuilds(home, 'calc')).toEqual([]);
  wasHeld(holder, { ...text, started: text.started - 1 });
  expect(runningBuilds(home, 'calc')).toEqual([]);
});
