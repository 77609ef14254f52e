import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DashboardAccess } from '../../../src/interfaces/dashboard/access.ts';
import { dashboardService } from '../../../src/interfaces/dashboard/dashboard-service.ts';
import { askService } from '../../../src/interfaces/dashboard/open-dashboard.ts';
import { rememberedPort, runningPort } from '../../../src/interfaces/dashboard/server-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { further } from '../../support/thorough.ts';
import { send, signIn } from './dashboard-server.ts';

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** The dashboard as the resident process serves it: in a thread of its own. */
async function service(dataFolder: string) {
  let active = 0;
  const opened = await dashboardService({
    dataFolder,
    async count(work) {
      active += 1;
      try {
        return await work;
      } finally {
        active -= 1;
      }
    },
  });
  onTestFinished(() => opened.close());
  return { ...opened, active: () => active };
}

async function session(dataFolder: string, port: number): Promise<string> {
  const ticket = new DashboardAccess(dataFolder).issueTicket();
  return JSON.parse((await signIn(port, ticket)).text).session;
}

function follow(port: number, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-guardkit-session': token };
    const asked = request(
      { host: '127.0.0.1', port, path: '/api/events?project=shop', headers, agent: false },
      resolve,
    );
    asked.on('error', reject);
    asked.end();
  });
}

it('the resident process serves pages in a thread, and an open page keeps it alive', async () => {
  const folder = temporaryFolder();
  const { active, retire } = await service(folder);
  // Nobody has asked for the dashboard.
  expect(runningPort(folder)).toBeUndefined();
  const port = (await askService(folder, undefined)) ?? 0;
  expect(await askService(folder, undefined)).toBe(port);
  const token = await session(folder, port);
  const headers = { 'x-guardkit-session': token };
  expect((await send(port, '/api/projects', { headers })).status).toBe(200);
  await vi.waitFor(() => expect(active()).toBe(0), 20_000);
  const stream = await follow(port, token);
  const ended = new Promise((resolve) => stream.once('close', resolve));
  stream.resume();
  await vi.waitFor(() => expect(active()).toBe(1), 20_000);
  // The page connects to the next process.
  retire();
  await ended;
  await vi.waitFor(() => expect(active()).toBe(0), 20_000);
  await expect(send(port, '/', {})).rejects.toThrow();
});

it('a new process comes back on the same port by itself, with its sessions', async () => {
  const folder = temporaryFolder();
  const first = await service(folder);
  const port = (await askService(folder, undefined)) ?? 0;
  const token = await session(folder, port);
  await first.close();
  await service(folder);
  await vi.waitFor(() => expect(runningPort(folder)).toBe(port), 10_000);
  const headers = { 'x-guardkit-session': token };
  expect((await send(port, '/api/projects', { headers })).status).toBe(200);
});

it.skipIf(process.platform !== 'linux' || getPriority() > 14)(
  'the threads that serve pages have a lower priority than those that answer hooks',
  async () => {
    const folder = temporaryFolder();
    await service(folder);
    const niceValues = () =>
      readdirSync('/proc/self/task').map((thread) =>
        Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]),
      );
    const before = niceValues();
    const port = (await askService(folder, undefined)) ?? 0;
    const headers = { 'x-guardkit-session': await session(folder, port) };
    expect((await send(port, '/api/projects', { headers })).status).toBe(200);
    const after = niceValues();
    const count = (values: number[], nice: number) => values.filter((value) => value === nice).length;
    expect(count(after, getPriority() + 5) - count(before, getPriority() + 5)).toBeGreaterThanOrEqual(2);
    expect(count(after, getPriority())).toBe(count(before, getPriority()));
  },
);

further('another port closes the first one, and a taken port changes nothing', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  await service(folder);
  await service(other);
  const port = (await askService(folder, undefined)) ?? 0;
  const taken = (await askService(other, undefined)) ?? 0;
  await expect(askService(folder, taken)).rejects.toMatchObject({ code: 'dashboard.port-taken' });
  expect([runningPort(folder), (await send(port, '/')).status]).toEqual([port, 200]);
  const free = await freePort();
  expect(await askService(folder, free)).toBe(free);
  expect([runningPort(folder), rememberedPort(folder)]).toEqual([free, free]);
  await expect(send(port, '/')).rejects.toThrow();
});

/** Runs as another user: what it prints are the results of its attempts. */
const STRANGER = `
  const fs = require('node:fs');
  const { request } = require('node:http');
  const [folder, port, socket] = process.argv.slice(1);
  const attempt = (act) => { try { act(); return 'done'; } catch ({ code }) { return code; } };
  const ask = (options) => new Promise((resolve) => {
    request(options, (response) => { response.resume(); resolve(response.statusCode); })
      .on('error', ({ code }) => resolve(code)).end(options.body);
  });
  (async () => console.log(JSON.stringify([
    attempt(() => fs.readdirSync(folder + '/dashboard')),
    attempt(() => fs.readFileSync(folder + '/dashboard/port')),
    attempt(() => fs.writeFileSync(folder + '/dashboard/sessions/' + 'a'.repeat(64), '')),
    await ask({ socketPath: socket, path: '/any' }),
    await ask({ host: '127.0.0.1', port, path: '/api/projects' }),
    await ask({ host: '127.0.0.1', port, path: '/api/events?project=shop' }),
    await ask({ host: '127.0.0.1', port, path: '/api/session', method: 'POST', body: '{"ticket":"' + 'A'.repeat(43) + '"}' }),
  ])))();
`;
const NOBODY = 65_534;

it.skipIf(process.getuid?.() !== 0)(
  'another user of the machine gets nothing, neither from the port nor from files (needs root) [DASH-1]',
  async () => {
    const folder = join(temporaryFolder(), 'data');
    mkdirSync(folder);
    await service(folder);
    const port = (await askService(folder, undefined)) ?? 0;
    await session(folder, port);
    // Only what the dashboard itself protects is tested.
    for (const each of [join(folder, '..'), folder, join(folder, 'run')]) chmodSync(each, 0o755);
    const socket = join(folder, 'run', 'hooks', 'dashboard.sock');
    const { stdout } = spawnSync(process.execPath, ['-e', STRANGER, folder, String(port), socket], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: '/',
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual(['EACCES', 'EACCES', 'EACCES', 'EACCES', 401, 401, 401]);
  },
);

further('the thread is started again after it has ended unexpectedly, on the same port', async () => {
  const folder = temporaryFolder();
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  const { active } = await service(folder);
  const port = (await askService(folder, undefined)) ?? 0;
  const headers = { 'x-guardkit-session': await session(folder, port) };
  (await follow(port, headers['x-guardkit-session'])).on('error', () => undefined).resume();
  await vi.waitFor(() => expect(active()).toBe(1), 20_000);
  await threads[0]?.terminate();
  await vi.waitFor(() => expect(active()).toBe(0), 20_000);
  await expect(send(port, '/', {})).rejects.toThrow();
  // A page that was open is still signed in.
  const read = () => send(port, '/api/projects', { headers }).then(({ status }) => status);
  await vi.waitFor(async () => expect(await read()).toBe(200), { timeout: 20_000, interval: 200 });
});
