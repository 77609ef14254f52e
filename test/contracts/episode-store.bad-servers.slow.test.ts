import { randomUUID } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import type { EpisodeStore } from '../../src/store/episode-store.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { describeOnBackends, POSTGRES } from '../support/backends.ts';
import { createDatabase, postgresUrl, queryPostgres } from '../support/postgres.ts';
import { NOTES, note } from './inputs.ts';
import { exported, openForTest, refusal } from './open-for-test.ts';

const PASSWORD = 'hunter2-sekret';

async function failure(url: string): Promise<unknown> {
  let store: EpisodeStore;
  try {
    store = await openPostgresStore({ url });
  } catch (error) {
    return error;
  }
  // A store that connects on first use must report the same error then.
  const used = await store.counts().then(
    () => undefined,
    (error: unknown) => error,
  );
  await store.close();
  return used;
}

/** Checks that the failure is explained, is not the caller's fault by default, and reveals no secret in any part. */
async function expectExplained(url: string, expected: Record<string, unknown> = {}): Promise<void> {
  const error = await failure(url);
  expect(error).toMatchObject({
    name: 'GuardKitError',
    kind: 'outside',
    hint: expect.stringMatching(/./),
    ...expected,
  });
  const everything = [
    inspect(error, { depth: null, showHidden: true }),
    JSON.stringify(error),
    String(error),
  ].join('\n');
  expect(everything).not.toContain(PASSWORD);
  expect(everything).not.toContain(encodeURIComponent(PASSWORD));
}

async function open(url: string): Promise<EpisodeStore> {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  return store;
}

async function listen(onConnection: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

describeOnBackends('unusable servers', () => {
  // These must answer within the few seconds that a person waits; the limit is far above the promise.
  const SOON = { timeout: 20_000 };

  it('reports a server that is down', SOON, async () => {
    const { server, port } = await listen(() => {});
    await new Promise((resolve) => server.close(resolve));
    await expectExplained(`postgres://guardkit:${PASSWORD}@127.0.0.1:${port}/guardkit`, {
      message: expect.stringContaining(`127.0.0.1`),
    });
  });

  it('reports a server that accepts the connection and never answers', SOON, async () => {
    const { port } = await listen(() => {});
    await expectExplained(`postgres://guardkit:${PASSWORD}@127.0.0.1:${port}/guardkit`);
  });

  it('reports a server that hangs up', SOON, async () => {
    const { port } = await listen((socket) => socket.destroy());
    await expectExplained(`postgres://guardkit:${PASSWORD}@127.0.0.1:${port}/guardkit`);
  });

  it('reports a server with another protocol', SOON, async () => {
    const { port } = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expectExplained(`postgres://guardkit:${PASSWORD}@127.0.0.1:${port}/guardkit`);
  });

  it('reports a host that does not exist', SOON, async () => {
    await expectExplained(`postgres://guardkit:${PASSWORD}@no-such-host.invalid/guardkit`);
  });

  it('reports a wrong password without showing it', SOON, async () => {
    const url = new URL(await postgresUrl());
    url.password = PASSWORD;
    await expectExplained(url.href);
  });

  it('reports a database that does not exist', SOON, async () => {
    const url = new URL(await postgresUrl());
    url.pathname = '/no_such_database';
    await expectExplained(url.href, { message: expect.stringContaining('no_such_database') });
  });

  it.each([
    `postgres://guardkit:${PASSWORD}@127.0.0.1:notaport/guardkit`,
    `postgres://guardkit:${PASSWORD}@`,
    `guardkit:${PASSWORD}@127.0.0.1/guardkit`,
    `mysql://guardkit:${PASSWORD}@127.0.0.1/guardkit`,
    `postgres://guardkit:${PASSWORD}%zz@127.0.0.1:1/guardkit`,
    '',
  ])('refuses an invalid address, without repeating its password (%#)', SOON, async (url) => {
    await expectExplained(url, { kind: expect.stringMatching(/^(input|outside)$/) });
  });

  it('shows its location without the password', async () => {
    const { url, cleanup } = await createDatabase();
    onTestFinished(cleanup);
    const store = await openPostgresStore({ url });
    onTestFinished(() => store.close());
    const { location } = await store.info();
    const { password, host, pathname } = new URL(url);
    expect(location).toContain(host);
    expect(location).toContain(pathname.slice(1));
    expect(location).not.toContain(password);
  });
}, [POSTGRES]);

describeOnBackends(
  'servers that fail later',
  (backend) => {
    it('continues with a new connection after the server cut all of them', async () => {
      const { store, opened } = await openForTest(backend);
      await store.upsert(note('NOTE-1', 'before'));
      await opened.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      // One call may be hit by the cut; it must fail with an explanation, and the next must work.
      await store
        .get(NOTES, 'NOTE-1')
        .catch((error: unknown) => expect(error).toMatchObject({ name: 'GuardKitError' }));
      expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ body: { text: 'before' } });
      expect(await store.upsert(note('NOTE-1', 'after'))).toMatchObject({ action: 'updated' });
    });

    it('explains a read-only server, and leaves everything unchanged', async () => {
      const { url, cleanup } = await createDatabase();
      onTestFinished(cleanup);
      const store = await open(url);
      await store.upsert(note('NOTE-1', 'before'));
      const before = await exported(store);
      const database = new URL(url).pathname.slice(1);
      await queryPostgres(
        await postgresUrl(),
        `ALTER DATABASE ${database} SET default_transaction_read_only = on`,
      );
      const reopened = await open(url);
      expect(await reopened.get(NOTES, 'NOTE-1')).toMatchObject({ body: { text: 'before' } });
      await expect(reopened.upsert(note('NOTE-1', 'after'))).rejects.toEqual(refusal('store.not-writable'));
      await expect(reopened.delete(NOTES, 'NOTE-1')).rejects.toEqual(refusal('store.not-writable'));
      expect(await exported(reopened)).toEqual(before);
    });
  },
  [POSTGRES],
);

describeOnBackends('foreign databases', () => {
  it('is refused and left unchanged if a newer guardkit wrote it', async () => {
    const { url, cleanup } = await createDatabase();
    onTestFinished(cleanup);
    await (await open(url)).upsert(note('NOTE-1', 'text'));
    await queryPostgres(url, 'UPDATE guardkit.schema_version SET version = 99');
    await expect(openPostgresStore({ url })).rejects.toEqual(refusal('store.newer-schema', /99/));
    expect(await queryPostgres(url, 'SELECT version FROM guardkit.schema_version')).toEqual([
      { version: 99 },
    ]);
    expect(await queryPostgres(url, 'SELECT entity_id FROM guardkit.episode')).toHaveLength(1);
  });

  it('is refused and left unchanged if the schema belongs to another program', async () => {
    const { url, cleanup } = await createDatabase();
    onTestFinished(cleanup);
    await queryPostgres(url, 'CREATE SCHEMA guardkit; CREATE TABLE guardkit.episode (title text)');
    await expect(openPostgresStore({ url })).rejects.toEqual(refusal('store.foreign'));
    const tables = await queryPostgres(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'guardkit'");
    expect(tables).toEqual([{ tablename: 'episode' }]);
  });

  it('may contain tables of other programs, which stay unchanged', async () => {
    const { url, cleanup } = await createDatabase();
    onTestFinished(cleanup);
    await queryPostgres(
      url,
      "CREATE TABLE public.episode (title text); INSERT INTO public.episode VALUES ('mine')",
    );
    const store = await open(url);
    await store.upsert(note('NOTE-1', 'text'));
    await store.purge(NOTES);
    expect(await queryPostgres(url, 'SELECT title FROM public.episode')).toEqual([{ title: 'mine' }]);
  });

  it('explains a missing table', async () => {
    const { url, cleanup } = await createDatabase();
    onTestFinished(cleanup);
    const store = await open(url);
    await queryPostgres(url, 'DROP TABLE guardkit.search_current');
    await expect(store.upsert(note('NOTE-1', 'text'))).rejects.toEqual(refusal('store.corrupt'));
    expect(await store.get(NOTES, 'NOTE-1')).toBeUndefined();
  });

  it('works for a user who only owns its schema', async () => {
    const { url, cleanup } = await createDatabase();
    const role = `limited_${randomUUID().slice(0, 8)}`;
    onTestFinished(async () => {
      await cleanup();
      await queryPostgres(await postgresUrl(), `DROP ROLE ${role}`);
    });
    await queryPostgres(url, `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
    const limited = new URL(url);
    limited.username = role;
    limited.password = PASSWORD;
    await expect(openPostgresStore({ url: limited.href })).rejects.toEqual(refusal('store.denied'));
    await queryPostgres(url, `CREATE SCHEMA guardkit AUTHORIZATION ${role}`);
    const store = await open(limited.href);
    expect(await store.upsert(note('NOTE-1', 'text'))).toMatchObject({ action: 'created' });
  });
}, [POSTGRES]);
