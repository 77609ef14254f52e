import { inspect } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { NOTES, note } from '../../contracts/inputs.ts';
import { postgresUrl, queryPostgres } from '../../support/postgres.ts';
import { further } from '../../support/thorough.ts';
import { newDatabase } from './new-database.ts';

const SECRET = 'hunter2-sekret';

/** The address of a new database for a new user who may only connect. */
async function addressOfNewUser(): Promise<{ url: string; admin: string; user: string }> {
  const admin = await newDatabase();
  const user = `user_${new URL(admin).pathname.slice(-12)}`;
  await queryPostgres(admin, `CREATE ROLE ${user} LOGIN PASSWORD '${SECRET}'`);
  onTestFinished(async () => {
    await queryPostgres(admin, `DROP OWNED BY ${user} CASCADE`);
    await queryPostgres(await postgresUrl(), `DROP ROLE ${user}`);
  });
  const url = new URL(admin);
  url.username = user;
  url.password = SECRET;
  return { url: url.href, admin, user };
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(SECRET);
  return error;
}

it('a user who may not create a schema is told what to ask for', async () => {
  const { url, admin } = await addressOfNewUser();
  expect(await failure(openPostgresStore({ url }))).toMatchObject({
    code: 'store.denied',
    hint: expect.stringContaining('CREATE SCHEMA guardkit AUTHORIZATION'),
  });
  expect(await queryPostgres(admin, "SELECT to_regnamespace('guardkit') AS schema")).toEqual([
    { schema: null },
  ]);
});

it('a schema created by an administrator is enough', async () => {
  const { url, admin, user } = await addressOfNewUser();
  await queryPostgres(admin, `CREATE SCHEMA guardkit AUTHORIZATION ${user}`);
  const store = await openPostgresStore({ url });
  expect(await store.upsert(note('NOTE-1', 'text'))).toMatchObject({ action: 'created' });
  await store.close();
});

it('a user with read-only rights can read', async () => {
  const { url, admin, user } = await addressOfNewUser();
  const owner = await openPostgresStore({ url: admin });
  await owner.upsert(note('NOTE-1', 'text'));
  await owner.close();
  await queryPostgres(admin, `GRANT USAGE ON SCHEMA guardkit TO ${user}`);
  await queryPostgres(admin, `GRANT SELECT ON ALL TABLES IN SCHEMA guardkit TO ${user}`);
  const reader = await openPostgresStore({ url });
  expect(await reader.get(NOTES, 'NOTE-1')).toMatchObject({ body: { text: 'text' } });
  expect(await failure(reader.upsert(note('NOTE-1', 'other')))).toMatchObject({ code: 'store.denied' });
  await reader.close();
});

it('reports a server that accepts no more connections', async () => {
  const { url, admin, user } = await addressOfNewUser();
  await queryPostgres(admin, `ALTER ROLE ${user} CONNECTION LIMIT 0`);
  expect(await failure(openPostgresStore({ url }))).toMatchObject({ code: 'store.too-many-connections' });
});

it('TLS requested by the URL is not dropped when the server has none', async () => {
  const url = new URL(await newDatabase());
  url.searchParams.set('sslmode', 'verify-full');
  expect(await failure(openPostgresStore({ url: url.href }))).toMatchObject({ code: 'store.tls' });
});

it('a URL without the required password is refused as a login', async () => {
  const url = new URL(await newDatabase());
  url.password = '';
  expect(await failure(openPostgresStore({ url: url.href }))).toMatchObject({ code: 'store.denied' });
});

further('a lock that is never released is reported after a while, and nothing is written', async () => {
  const url = await newDatabase();
  const store = await openPostgresStore({ url, busyTimeoutMs: 300 });
  onTestFinished(() => store.close());
  await store.upsert(note('NOTE-1', 'before'));
  const holder = queryPostgres(
    url,
    'BEGIN; LOCK TABLE guardkit.episode IN EXCLUSIVE MODE; SELECT pg_sleep(2); ROLLBACK',
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await failure(store.upsert(note('NOTE-1', 'after')))).toMatchObject({ code: 'store.locked' });
  expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ body: { text: 'before' } });
  await holder;
  expect(await store.upsert(note('NOTE-1', 'after'))).toMatchObject({ action: 'updated' });
});
