import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { MIGRATIONS } from '../../../src/store/postgres/schema.ts';
import { NOTES } from '../../contracts/inputs.ts';
import { postgresUrl, queryPostgres } from '../../support/postgres.ts';
import { buildWorker, runWorker } from '../../support/worker.ts';
import { newDatabase } from './new-database.ts';

const WORKER = fileURLToPath(new URL('./open-worker.ts', import.meta.url));

it('four processes that open a new database at the same time create its schema once', async () => {
  const url = await newDatabase();
  const path = await buildWorker(WORKER);
  const workers = ['A', 'B', 'C', 'D'].map((name) => {
    let ready = () => {};
    const started = new Promise<void>((resolve) => {
      ready = resolve;
    });
    return { started, ...runWorker(path, [url, `NOTE-${name}`], { onLine: () => ready() }) };
  });
  await Promise.all(workers.map(({ started, done }) => Promise.race([started, done])));
  for (const { child } of workers) child.stdin?.write('go\n');
  for (const { code, stderr } of await Promise.all(workers.map(({ done }) => done))) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  expect(await store.counts()).toEqual([{ group: NOTES, episodes: 4, versions: 4 }]);
  expect(await queryPostgres(url, 'SELECT version FROM guardkit.schema_version')).toEqual([
    { version: MIGRATIONS.length },
  ]);
});

it('everything is in the schema guardkit', async () => {
  const url = await newDatabase();
  await (await openPostgresStore({ url })).close();
  const elsewhere = await queryPostgres(
    url,
    `SELECT relname FROM pg_class WHERE oid >= 16384 AND relnamespace <> 'guardkit'::regnamespace
       AND relnamespace <> 'pg_toast'::regnamespace`,
  );
  expect(elsewhere).toEqual([]);
});

it('a schema of a newer guardkit is refused and left unchanged', async () => {
  const url = await newDatabase();
  await (await openPostgresStore({ url })).close();
  await queryPostgres(url, 'UPDATE guardkit.schema_version SET version = 99');
  await expect(openPostgresStore({ url })).rejects.toMatchObject({
    code: 'store.newer-schema',
    kind: 'outside',
    message: expect.stringContaining('99'),
  });
  expect(await queryPostgres(url, 'SELECT version FROM guardkit.schema_version')).toEqual([{ version: 99 }]);
});

it('a foreign schema of that name is refused and left unchanged', async () => {
  const url = await newDatabase();
  await queryPostgres(url, 'CREATE SCHEMA guardkit');
  await queryPostgres(url, 'CREATE TABLE guardkit.episode (theirs integer)');
  await expect(openPostgresStore({ url })).rejects.toMatchObject({ code: 'store.foreign', kind: 'outside' });
  expect(await queryPostgres(url, 'SELECT * FROM guardkit.episode')).toEqual([]);
});

it('a database whose encoding lacks characters is refused', async () => {
  const admin = await postgresUrl();
  const name = `latin_${randomUUID().replaceAll('-', '')}`;
  await queryPostgres(
    admin,
    `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0`,
  );
  onTestFinished(async () => {
    await queryPostgres(admin, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  const url = new URL(admin);
  url.pathname = `/${name}`;
  await expect(openPostgresStore({ url: url.href })).rejects.toMatchObject({
    code: 'store.encoding',
    message: expect.stringContaining('LATIN1'),
  });
});

it('dropped tables are reported as damage', async () => {
  const url = await newDatabase();
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  await queryPostgres(url, 'DROP TABLE guardkit.episode_field');
  await expect(store.list(NOTES, { where: [{ field: 'tags', op: 'eq', value: 'x' }] })).resolves.toEqual([]);
  await expect(store.purge(NOTES)).resolves.toBe(0);
  await queryPostgres(url, 'DROP TABLE guardkit.episode_group CASCADE');
  await expect(store.counts()).rejects.toMatchObject({ code: 'store.corrupt' });
});
