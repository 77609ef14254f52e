import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { DEFAULT_IDLE_MS } from '../../../src/config/project/serve-config.ts';
import { connectToBroker, runOutside } from '../../../src/enforcement/broker/broker-client.ts';
import { agentsSocket } from '../../../src/enforcement/broker/broker-socket.ts';
import { serveAgents } from '../../../src/enforcement/broker/serve-agents.ts';
import { findServer } from '../../../src/enforcement/broker/server-record.ts';
import { startBroker } from '../../../src/enforcement/broker/start-broker.ts';
import { stopServer } from '../../../src/enforcement/broker/stop-server.ts';
import { shellFolder } from '../../../src/enforcement/shell/shell-folder.ts';
import { essentialEnvironment } from '../../../src/platform/processes/command-environment.ts';
import { INSIDE_AGENT_VARIABLE } from '../../../src/platform/processes/wrapper-profile.ts';
import { PROGRAM } from '../../support/cli.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

/** A data folder that is also a repository with wrapped commands. */
function setUp(dataFolder = temporaryFolder()): string {
  mkdirSync(join(dataFolder, '.git'), { recursive: true });
  writeFileSync(join(dataFolder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(shellFolder(dataFolder, { commonDir: join(dataFolder, '.git') }).path, { recursive: true });
  return dataFolder;
}

/** A broker in this process with a manual clock. */
function serve(dataFolder = setUp(), startedAt?: number) {
  const time = { now: 0, check: () => {} };
  const ending = new AbortController();
  const ended = serveAgents({
    dataFolder,
    env: { PATH: process.env.PATH, HOME: dataFolder },
    clock: () => time.now,
    ...(startedAt === undefined ? {} : { startedAt }),
    every: (check) => {
      time.check = check;
      return () => {};
    },
    signal: ending.signal,
  });
  onTestFinished(async () => {
    ending.abort();
    await ended;
  });
  const pass = (ms: number) => {
    time.now += ms;
    time.check();
  };
  return { dataFolder, socket: agentsSocket(dataFolder), ended, ending, pass };
}

/** Runs a command of the built program through the broker. */
async function run(socket: string, args: string[], cwd: string) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const exitCode = await runOutside(socket, { args, cwd, stdout, stderr });
  return { exitCode, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

it('ends after half an hour without a client, and leaves no socket', async () => {
  const { socket, ended, pass } = serve();
  (await connectToBroker(socket)).destroy();
  pass(DEFAULT_IDLE_MS - 1);
  expect(existsSync(socket)).toBe(true);
  pass(1);
  expect(await ended).toBe('idle');
  expect(existsSync(socket)).toBe(false);
});

it('ends at once if it was stopped while it started', async () => {
  const dataFolder = setUp();
  const startedAt = Date.now() - 1000;
  expect(await stopServer(dataFolder)).toBeUndefined();
  const { socket, ended } = serve(dataFolder, startedAt);
  expect(await ended).toBe('retired');
  expect(existsSync(socket)).toBe(false);
});

it('serves if it was started after an earlier one was stopped', async () => {
  const dataFolder = setUp();
  await stopServer(dataFolder);
  const { socket, ended, ending } = serve(dataFolder, Date.now() + 1000);
  (await connectToBroker(socket)).destroy();
  ending.abort();
  expect(await ended).toBe('signal');
});

it('counts the half hour from the end of its last command', async () => {
  const { socket, dataFolder, ended, pass } = serve();
  await connectToBroker(socket).then((connection) => connection.destroy());
  pass(DEFAULT_IDLE_MS - 1);
  const running = run(socket, ['--version'], dataFolder);
  expect((await running).exitCode).toBe(0);
  pass(DEFAULT_IDLE_MS - 1);
  expect(existsSync(socket)).toBe(true);
  pass(1);
  expect(await ended).toBe('idle');
});

it.each([
  ['runs a verification that an agent without the wrapper asks for', 'verify', true],
  ['leaves its other commands to it', 'turns', false],
])('%s', async (_name, command, served) => {
  const { socket, dataFolder, pass } = serve();
  await connectToBroker(socket).then((connection) => connection.destroy());
  pass(DEFAULT_IDLE_MS - 1);
  const env = { ...essentialEnvironment(process.env), GUARDKIT_HOME: dataFolder, CLAUDECODE: '1' };
  const child = spawn(process.execPath, [PROGRAM, command, 'TASK-001'], {
    cwd: dataFolder,
    env,
    stdio: 'ignore',
  });
  await once(child, 'exit');
  pass(1);
  await setImmediate();
  expect(findServer(dataFolder) !== undefined).toBe(served);
});

it('ends when its data folder is removed', async () => {
  const { socket, dataFolder, ended, pass } = serve();
  (await connectToBroker(socket)).destroy();
  rmSync(join(dataFolder, 'run'), { recursive: true });
  pass(1);
  expect(await ended).toBe('removed');
});

it('does not bring back a data folder that was removed while it started', async () => {
  const dataFolder = setUp();
  rmSync(dataFolder, { recursive: true });
  expect(await serve(dataFolder).ended).toBe('removed');
  expect(existsSync(dataFolder)).toBe(false);
});

it('ends when another folder takes the place of its data folder', async () => {
  const { dataFolder, socket, ended, pass } = serve();
  (await connectToBroker(socket)).destroy();
  const other = `${dataFolder}-other`;
  renameSync(dataFolder, other);
  onTestFinished(() => removeFolder(other));
  // With the files of the first, as if it had created them too late.
  cpSync(other, dataFolder, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  pass(1);
  expect(await ended).toBe('removed');
});

it('serves its remaining clients after it retires, while another broker listens', async () => {
  const { socket, dataFolder, pass, ended } = serve();
  const client = await connectToBroker(socket);
  client.write(`${JSON.stringify({ kind: 'tools', cwd: dataFolder })}\n`);
  const lines = createInterface({ input: client });
  const answered = async (id: number) => {
    client.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`);
    const [line] = await once(lines, 'line');
    return (JSON.parse(String(line)) as { id: number }).id;
  };
  expect(await answered(1)).toBe(1);
  // As after the data folder was removed or the program was replaced.
  rmSync(socket);
  pass(1);
  await setImmediate();
  const next = serve(dataFolder);
  (await connectToBroker(next.socket)).destroy();
  expect(await answered(2)).toBe(2);
  client.end();
  expect(await ended).toBe('removed');
  (await connectToBroker(next.socket)).destroy();
});

it('is the only broker of a data folder', async () => {
  const first = serve();
  (await connectToBroker(first.socket)).destroy();
  expect(await serve(first.dataFolder).ended).toBe('another-runs');
  (await connectToBroker(first.socket)).destroy();
  first.ending.abort();
  expect(await first.ended).toBe('signal');
  // The socket of a killed broker does not block the next one.
  const next = serve(first.dataFolder);
  (await connectToBroker(next.socket)).destroy();
});

it('listens in a folder whose path is longer than a socket address', async () => {
  const { socket, dataFolder } = serve(setUp(join(temporaryFolder(), 'long-'.repeat(30))));
  expect((await run(socket, ['--version'], dataFolder)).exitCode).toBe(0);
});

it('returns output, errors and exit code of a command, and reports one that cannot start', async () => {
  const { socket, dataFolder } = serve();
  const { exitCode, stdout, stderr } = await run(socket, ['no-such-command', '--json'], dataFolder);
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([2, { error: { code: 'usage' } }]);
  expect(stderr).toContain('no-such-command');
  await expect(run(socket, ['--version'], join(dataFolder, 'absent'))).rejects.toMatchObject({
    code: 'broker.not-started',
  });
});

it('runs nothing in a repository that no person has set up', async () => {
  const { socket } = serve();
  const elsewhere = temporaryFolder();
  await expect(run(socket, ['--version'], elsewhere)).rejects.toMatchObject({ code: 'broker.not-started' });
  mkdirSync(join(elsewhere, '.git'));
  writeFileSync(join(elsewhere, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await expect(run(socket, ['--version'], elsewhere)).rejects.toMatchObject({ code: 'broker.not-started' });
});

it('a client waits for a starting broker, but not forever', async () => {
  const dataFolder = temporaryFolder();
  const waiting = connectToBroker(agentsSocket(dataFolder), 20_000);
  serve(dataFolder);
  (await waiting).destroy();
  await expect(connectToBroker(agentsSocket(temporaryFolder()), 0)).rejects.toMatchObject({
    code: 'broker.not-running',
    exitCode: 3,
  });
});

it('neither runs nor starts inside an agent', async () => {
  const dataFolder = temporaryFolder();
  const env = { PATH: process.env.PATH, [INSIDE_AGENT_VARIABLE]: '1' };
  expect(await startBroker(dataFolder, env)).toBe(false);
  const parts = { dataFolder, env, clock: () => 0, every: () => () => {}, signal: AbortSignal.timeout(1) };
  await expect(serveAgents(parts)).rejects.toMatchObject({ code: 'broker.inside-agent' });
});

it('the broker’s environment keeps folders and language, but nothing that loads code or marks a run', () => {
  const kept = { PATH: '/bin', HOME: '/h', LC_ALL: 'C', XDG_CACHE_HOME: '/c', GUARDKIT_DATABASE_URL: 'x' };
  const dropped = {
    NODE_OPTIONS: 'x',
    LD_PRELOAD: 'x',
    CLAUDECODE: '1',
    GUARDKIT_RUN: 'x',
    [INSIDE_AGENT_VARIABLE]: '1',
    BASH_ENV: 'x',
    GIT_DIR: 'x',
  };
  expect(essentialEnvironment({ ...kept, ...dropped })).toEqual(kept);
});
