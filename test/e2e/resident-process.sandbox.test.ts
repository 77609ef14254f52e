import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { findServer } from '../../src/enforcement/broker/server-record.ts';
import { hooksFolder, hooksSocket, serverFile } from '../../src/enforcement/install/hook-client.ts';
import { coldLauncherPath, launcherPath } from '../../src/enforcement/install/hook-launcher.ts';
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

it('answers hooks as the cold launcher does, and enters the same into the ledger', () => {
  for (const make of [() => project.allowed(), () => project.forbidden()]) {
    const payload = make();
    const before = project.judged();
    const warm = project.hook(payload);
    const between = project.judged();
    const cold = project.hook({ ...payload, session_id: 'other' }, coldLauncherPath(project.home));
    expect(warm).toEqual(cold);
    expect(between - before).toBe(project.judged() - between);
  }
  expect(project.owners().at(-1)).toBe('resident');
});

further('answers payloads larger than a pipe takes, on both ways', async () => {
  const content = 'x'.repeat(3_000_000);
  const payload = project.event('Write', {
    file_path: join(project.root, '.guardkit', 'config.yaml'),
    content,
  });
  expect(decisionOf(project.hook(payload))).toBe('deny');
  await project.kill();
  expect(decisionOf(project.hook({ ...payload, tool_use_id: 'later' }))).toBe('deny');
});

it('leaves the answer to the cold launcher after kill -9, and is started again by the next session', async () => {
  expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
  await project.kill();
  expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
  expect(decisionOf(project.hook(project.allowed()))).toBeUndefined();
  expect(project.hook(project.event('', {}, 'SessionStart')).status).toBe(0);
  expect(findServer(project.home)).toBeDefined();
  const before = project.owners().length;
  expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
  expect(project.owners().slice(before)).toEqual(['resident']);
});

further(
  'is asked in vain while it is stopped: the event is decided once, and nothing that it writes later counts',
  async () => {
    const server = await project.start();
    process.kill(server, 'SIGSTOP');
    const before = project.judged();
    expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
    expect(project.judged()).toBe(before + 1);
    process.kill(server, 'SIGCONT');
    // By then the late event, which came first, is through.
    expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
    expect(project.judged()).toBe(before + 2);
  },
);

further('is not believed if another process has taken its socket', async () => {
  await project.kill();
  const known = readFileSync(serverFile(project.home), 'utf8');
  rmSync(hooksSocket(project.home), { force: true });
  const impostor = createServer((connection) => {
    connection.on('error', () => {});
    connection.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n0 0\n');
  });
  impostor.listen(hooksSocket(project.home));
  await once(impostor, 'listening');
  // Closing it removes the socket of the process that was started meanwhile.
  onTestFinished(() => {
    impostor.close();
    return project.kill();
  });
  for (const text of [known, `${process.pid} 1 \n`, 'nonsense\n']) {
    writeFileSync(serverFile(project.home), text);
    expect(decisionOf(await project.hookBeside(project.forbidden()))).toBe('deny');
  }
});

it('cannot be reached by wrapped commands', async () => {
  const program = `require('node:net').connect('hooks.sock').on('connect', () => process.exit(0)).on('error', (error) => { console.log(error.code); process.exit(1); })`;
  expect(project.hook(project.event('Bash', { command: 'ls' })).status).toBe(0);
  const wrapped = spawnSync(
    project.prefix,
    [`cd ${hooksFolder(project.home)} && '${process.execPath}' -e "${program}"`],
    {
      cwd: project.root,
      env: project.environment,
      encoding: 'utf8',
    },
  );
  expect(wrapped).toMatchObject({ status: 1, stdout: 'ENOENT\n' });
});

it('takes no part where no sandbox holds the agent', () => {
  const { CLAUDE_CODE_SHELL_PREFIX: _, ...env } = project.environment;
  const before = project.owners().length;
  const { status, stdout } = project.hook(project.forbidden(), launcherPath(project.home), env);
  expect(decisionOf({ stdout })).toBe('deny');
  expect(status).toBe(0);
  expect(project.owners()).toHaveLength(before);
});

further('a hook that finds none starts one, for those that follow', async () => {
  // One that has answered an event is started again at once.
  expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
  await project.kill();
  expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
  await expect.poll(() => findServer(project.home)).toBeDefined();
  const before = project.owners().length;
  expect(decisionOf(project.hook(project.forbidden()))).toBe('deny');
  expect(project.owners().slice(before)).toEqual(['resident']);
});

further('ends when its socket was removed, since no hook reaches it any more', async () => {
  const server = await project.start();
  rmSync(hooksSocket(project.home));
  await expect.poll(() => hasEnded(server), { timeout: 60_000 }).toBe(true);
});

it('refuses when the ledger that it has open is gone', () => {
  expect(decisionOf(project.hook(project.allowed()))).toBeUndefined();
  const ledger = join(project.home, 'ledger.db');
  renameSync(ledger, `${ledger}-before`);
  onTestFinished(() => renameSync(`${ledger}-before`, ledger));
  expect(project.hook(project.allowed())).toMatchObject({ status: 2, stdout: '' });
});

it('the cold launcher refuses when the files of the open ledger are emptied, which ends the process', async () => {
  const pid = await project.start();
  expect(decisionOf(project.hook(project.allowed()))).toBeUndefined();
  const files = readdirSync(project.home)
    .filter((name) => name.startsWith('ledger.db'))
    .map((name) => join(project.home, name));
  expect(files.length).toBeGreaterThan(2);
  const before = files.map((file) => readFileSync(file));
  onTestFinished(async () => {
    await project.kill();
    files.forEach((file, index) => void writeFileSync(file, before[index] ?? ''));
  });
  for (const file of files) truncateSync(file);
  for (let count = 0; count < 2; count += 1)
    expect(project.hook(project.allowed())).toMatchObject({ status: 2, stdout: '' });
  expect(pid).toBeGreaterThan(0);
});
