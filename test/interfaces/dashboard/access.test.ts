import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DashboardAccess } from '../../../src/interfaces/dashboard/access.ts';
import { rememberedPort, runningPort } from '../../../src/interfaces/dashboard/server-file.ts';
import { startDashboard } from '../../../src/interfaces/dashboard/start-dashboard.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Asked, send, serveDashboard, signIn } from './dashboard-server.ts';

const codeOf = (text: string) => JSON.parse(text).error.code;

describe('who may read', () => {
  it('a read without a session is refused, whatever the path [DASH-1]', async () => {
    const { ask } = await serveDashboard();
    for (const path of ['/api/projects', '/api/now?project=x', '/api/events?project=x', '/api/unknown'])
      expect((await ask(path)).status).toBe(401);
    const wrong = { headers: { 'x-guardkit-session': 'A'.repeat(43) } };
    expect((await ask('/api/projects', wrong)).status).toBe(401);
    expect((await ask('/api/projects', { headers: { cookie: 'x-guardkit-session=1' } })).status).toBe(401);
  });

  it('a ticket is accepted once, and only for ten minutes [DASH-1]', async () => {
    const { port, ticket, dataFolder } = await serveDashboard();
    const replayed = await signIn(port, ticket);
    expect([replayed.status, codeOf(replayed.text)]).toEqual([401, 'dashboard.ticket']);
    const old = new DashboardAccess(dataFolder).issueTicket();
    const tickets = join(dataFolder, 'dashboard', 'tickets');
    const past = new Date(Date.now() - 11 * 60_000);
    for (const name of readdirSync(tickets)) utimesSync(join(tickets, name), past, past);
    expect((await signIn(port, old)).status).toBe(401);
  });

  it('of concurrent requests with one ticket, one gets a session [DASH-1]', async () => {
    const { port, dataFolder } = await serveDashboard();
    const ticket = new DashboardAccess(dataFolder).issueTicket();
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(port, ticket)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('the data folder contains no token, and nobody else may enter [DASH-1]', async () => {
    const { dataFolder, ticket, session } = await serveDashboard();
    const folder = join(dataFolder, 'dashboard');
    expect(statSync(folder).mode & 0o077).toBe(0);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      expect(statSync(path).mode & 0o077).toBe(0);
      const content = statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
      for (const token of [ticket, session]) expect(name + content).not.toContain(token);
    }
  });

  it('a session outlives the server, which comes back on the same port', async () => {
    const { dashboard, dataFolder, session, port } = await serveDashboard();
    expect([runningPort(dataFolder), rememberedPort(dataFolder)]).toEqual([port, port]);
    await dashboard.close();
    expect(runningPort(dataFolder)).toBeUndefined();
    const again = await startDashboard({ dataFolder, read: async () => ({ status: 200, body: '{}' }) });
    try {
      expect(again.port).toBe(port);
      const asked = { headers: { 'x-guardkit-session': session } };
      expect((await send(again.port, '/api/projects', asked)).status).toBe(200);
    } finally {
      await again.close();
    }
  });

  it('if somebody else took the port, pages that sent their tokens there are signed out [DASH-1]', async () => {
    const { dashboard, dataFolder, session, port } = await serveDashboard();
    await dashboard.close();
    const thief = createServer();
    await new Promise<void>((resolve) => thief.listen(port, '127.0.0.1', resolve));
    const again = await startDashboard({ dataFolder, read: async () => ({ status: 200, body: '{}' }) });
    try {
      expect(again.port).not.toBe(port);
      const asked = { headers: { 'x-guardkit-session': session } };
      expect((await send(again.port, '/api/projects', asked)).status).toBe(401);
    } finally {
      await again.close();
      thief.close();
    }
  });

  it('a taken port is named, unless it is only the remembered one', async () => {
    const { port } = await serveDashboard();
    const other = temporaryFolder();
    const read = async () => ({ status: 200, body: '{}' });
    await expect(startDashboard({ dataFolder: other, port, read })).rejects.toMatchObject({
      code: 'dashboard.port-taken',
    });
  });
});

describe('requests from elsewhere', () => {
  it.each([
    ['a name of another site [DASH-2]', { host: 'evil.example' }, 421],
    ['a name that only begins like ours', { host: 'localhost.evil.example:80' }, 421],
    ['an address of the network', { host: '192.168.1.5:4000' }, 421],
    ['a foreign Origin [DASH-2]', { origin: 'https://evil.example' }, 403],
    ['an opaque Origin', { origin: 'null' }, 403],
    ['an Origin that only begins like ours', { origin: 'http://localhost.evil.example' }, 403],
    ['a cross-site read', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('%s is refused even with a session', async (_, headers: Record<string, string>, status) => {
    const { ask, session } = await serveDashboard();
    const asked = { headers: { ...headers, 'x-guardkit-session': session } };
    expect((await ask('/api/projects', asked)).status).toBe(status);
  });

  it.each(['localhost', '127.0.0.1:1', 'LOCALHOST:8080', '[::1]:9'])(
    'the name %s is served on any port, as through ssh -L',
    async (host) => {
      const { ask, session } = await serveDashboard();
      const headers = { host, origin: `http://${host}`, 'x-guardkit-session': session };
      expect((await ask('/api/projects', { headers })).status).toBe(200);
    },
  );
});

describe('malformed and oversized requests', () => {
  it.each<[string, string, Asked, number]>([
    ['path traversal', '/../../etc/passwd', {}, 404],
    ['encoded path traversal', '/%2e%2e/%2e%2e/package.json', {}, 404],
    ['another file of the package', '/app.js/../../bin.cjs', {}, 404],
    ['a prototype member as a path', '/constructor', {}, 404],
    ['an address without a path', 'http://127.0.0.1/', {}, 404],
    ['a long address', `/${'a'.repeat(5000)}`, {}, 414],
    ['a method that changes', '/', { method: 'DELETE' }, 405],
    ['a large body', '/api/session', { method: 'POST', body: 'x'.repeat(100_000) }, 413],
    ['a body that is not JSON', '/api/session', { method: 'POST', body: '{' }, 400],
    ['a body with other members', '/api/session', { method: 'POST', body: '{"ticket":"a","b":1}' }, 400],
    ['a ticket that is a path', '/api/session', { method: 'POST', body: '{"ticket":"../x"}' }, 401],
    ['reading the exchange', '/api/session', {}, 405],
  ])('%s is refused', async (_, path, asked, status) => {
    const { ask } = await serveDashboard();
    expect((await ask(path, asked)).status).toBe(status);
  });

  it.each([
    ['/api/constructor', 404],
    ['/api/now', 400],
    ['/api/now?project=none', 404],
    ['/api/feature?project=none&id=..%2F..', 400],
    ['/api/events?project=', 400],
    ['/api/projects?more=1', 400],
  ])('%s with a session is answered with a code', async (path, status) => {
    const { read } = await serveDashboard();
    const answer = await read(path);
    expect([answer.status, typeof codeOf(answer.text)]).toEqual([status, 'string']);
  });

  it('bytes that are not HTTP do not disturb others', async () => {
    const { port, read } = await serveDashboard();
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('\0\x01nonsense\r\n\r\n'));
      socket.on('close', () => resolve());
      socket.resume();
    });
    expect((await read('/api/projects')).status).toBe(200);
  });

  it('every answer forbids foreign scripts, frames and caching [DASH-3]', async () => {
    const { ask, read } = await serveDashboard();
    for (const { headers } of [await read('/api/projects'), await ask('/nothing'), await ask('/api/now')]) {
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});
