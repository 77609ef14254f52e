import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { findServer } from '../../src/enforcement/broker/server-record.ts';
import { hooksSocket, serverFile } from '../../src/enforcement/install/hook-client.ts';
import { launcherPath } from '../../src/enforcement/install/hook-launcher.ts';
import { PROGRAM } from '../support/cli.ts';
import { hasEnded } from '../support/ended.ts';
import { decisionOf, ResidentProject } from '../support/resident-project.ts';
import { further } from '../support/thorough.ts';

let obstacle: string | undefined;
let project: ResidentProject;

beforeAll(async () => {
  obstacle = await ResidentProject.obstacle();
  if (obstacle === undefined) project = await ResidentProject.create();
});
afterAll(() => project?.cleanup());
beforeEach(async (context) => {
  if (obstacle !== undefined) context.skip(obstacle);
  await project.start();
});

async function guardkit(...args: string[]) {
  const { exitCode, stdout } = await project.sandbox.program([...args, '--json'], { in: 'shop' });
  return { exitCode, json: JSON.parse(stdout) };
}

/** Changes the project's configuration until the test ends. */
function configure(line: string): void {
  const file = join(project.root, '.guardkit', 'config.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text}\n${line}\n`);
  onTestFinished(() => writeFileSync(file, text));
}

it('init starts it, and the launcher asks it without further set-up', () => {
  expect(readFileSync(launcherPath(project.home), 'utf8')).toMatch(/^#!\S*perl -T\n/);
  const before = project.owners().length;
  expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
  expect(project.owners().slice(before)).toEqual(['resident']);
});

it('serve --stop ends it, and reports when there is none', async () => {
  const pid = await project.start();
  expect(await guardkit('serve', '--stop')).toEqual({ exitCode: 0, json: { stopped: pid } });
  expect(hasEnded(pid)).toBe(true);
  expect([hooksSocket(project.home), serverFile(project.home)].map((path) => existsSync(path))).toEqual([
    false,
    false,
  ]);
  expect(await guardkit('serve', '--stop')).toEqual({ exitCode: 0, json: { stopped: null } });
});

further('serve --stop lets an event that is being answered finish', async () => {
  const pid = await project.start();
  const before = project.owners().length;
  // Held up on its way to the server, which counts it as a client from its first bytes.
  process.kill(pid, 'SIGSTOP');
  const asked = project.hookBeside(project.forbidden());
  const stopped = guardkit('serve', '--stop');
  expect(decisionOf(await asked)).toBe('deny');
  expect((await stopped).json).toEqual({ stopped: pid });
  expect(project.owners().length).toBe(before + 1);
});

further('runs in the foreground until it is stopped, as the only one', async () => {
  await guardkit('serve', '--stop');
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--json'], {
    cwd: project.root,
    env: project.sandbox.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  await expect.poll(() => findServer(project.home)?.pid).toBe(child.pid);
  expect(await guardkit('serve')).toEqual({ exitCode: 1, json: { ended: 'another-runs' } });
  const ended = once(child, 'close');
  child.kill('SIGINT');
  expect((await ended)[0]).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ ended: 'retired' });
});

further('serve: off sends the project’s hooks to the cold launcher', async () => {
  configure('serve: off');
  const before = project.owners().length;
  expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
  expect(project.owners().slice(before)).toEqual(['cold']);
  expect((await guardkit('status')).json.hooks).toMatchObject({ answers: false, code: 'off' });
});

further('status and doctor show it', async () => {
  const pid = await project.start();
  expect((await guardkit('status')).json.hooks).toMatchObject({
    answers: true,
    process: { pid, socket: hooksSocket(project.home) },
  });
  const { checks } = (await guardkit('doctor')).json;
  expect(checks).toContainEqual(expect.objectContaining({ id: 'serve', outcome: 'pass', code: 'answers' }));
  await guardkit('serve', '--stop');
  expect((await guardkit('status')).json.hooks).toMatchObject({
    answers: false,
    code: 'not-running',
    process: null,
  });
});

it('does not answer a client of another build', async () => {
  const pid = await project.start();
  const launcher = launcherPath(project.home);
  const text = readFileSync(launcher, 'utf8');
  const other = text.replace(/^my \$program = '.*';$/m, `my $program = '${launcher}';`);
  expect(other).not.toBe(text);
  writeFileSync(launcher, other);
  onTestFinished(() => writeFileSync(launcher, text));
  const before = project.owners().length;
  expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
  expect(project.owners().slice(before)).toEqual(['cold']);
  expect(findServer(project.home)?.pid).toBe(pid);
});

further('a session of another build replaces it', async () => {
  const pid = await project.start();
  const record = readFileSync(serverFile(project.home), 'utf8');
  // As a server of another build would have written it.
  writeFileSync(serverFile(project.home), record.replace('hook.cjs', 'other.cjs'));
  const next = await project.start();
  expect(next).not.toBe(pid);
  await expect.poll(() => hasEnded(pid)).toBe(true);
  const before = project.owners().length;
  expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
  expect(project.owners().slice(before)).toEqual(['resident']);
});

further('answers no hooks while a command runs that could reach its socket', async () => {
  await guardkit('serve', '--stop');
  // Its wrapper does not cover the folder, like one of an earlier version.
  const { child, ended } = project.agent.start([
    '/bin/sh',
    '-c',
    'echo up; until [ -e end ]; do sleep 0.1; done',
  ]);
  onTestFinished(async () => {
    writeFileSync(join(project.root, 'end'), '');
    await ended;
    await guardkit('serve', '--stop');
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  await project.start();
  expect((await guardkit('status')).json.hooks).toMatchObject({ answers: false, code: 'cannot-listen' });
  const before = project.owners().length;
  expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
  expect(project.owners()).toHaveLength(before);
});
