import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/platform/open-sqlite.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../src/store/sqlite/open-sqlite-store.ts';
import { makeReadOnly, smallVolume } from '../support/volumes.ts';
import { NOTES, note } from './inputs.ts';
import { exported, refusal } from './open-for-test.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(path: string, options: Partial<SqliteStoreOptions> = {}) {
  const store = await openSqliteStore({ path, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A store with some content, closed. */
async function makeStore(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  await store.upsertMany(
    Array.from({ length: 300 }, (_, index) => note(`NOTE-${index}`, `text ${index} `.repeat(20))),
  );
  await store.close();
}

/**
 * Every file of a folder with its content, to check that nothing changed. A -shm file is an index that any reader may
 * create.
 */
function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'base64')]));
}

async function expectRefusedUntouched(
  folder: string,
  path: string,
  code: string,
  message?: RegExp,
): Promise<void> {
  const before = contents(folder);
  await expect(openSqliteStore({ path })).rejects.toEqual(refusal(code, message));
  await expect(openSqliteStore({ path })).rejects.toMatchObject({ kind: 'outside', exitCode: 3 });
  expect(contents(folder)).toEqual(before);
}

describe('a file that is not an episode store', () => {
  it.each([
    ['text', 'This is not a database at all. '.repeat(100)],
    ['random bytes', Buffer.from(Array.from({ length: 8192 }, (_, index) => (index * 31) % 251))],
    ['the beginning of a database and nothing more', 'SQLite format 3\u0000'],
    ['a word', 'hello'],
  ])('is refused and left unchanged: %s', async (_what, content) => {
    const folder = newFolder();
    const path = join(folder, 'guardkit.db');
    writeFileSync(path, content);
    await expectRefusedUntouched(folder, path, 'store.corrupt', /guardkit\.db/);
  });

  it('is refused and left unchanged: a database of another program', async () => {
    const folder = newFolder();
    const path = join(folder, 'guardkit.db');
    const foreign = openSqlite(path);
    foreign.exec(
      "CREATE TABLE episode (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO episode VALUES (1, 'mine')",
    );
    foreign.close();
    await expectRefusedUntouched(folder, path, 'store.foreign');
  });

  it('is refused and left unchanged: a database with another application id and no tables', async () => {
    const folder = newFolder();
    const path = join(folder, 'guardkit.db');
    const foreign = openSqlite(path);
    foreign.pragma('application_id = 252006674');
    foreign.exec('VACUUM');
    foreign.close();
    await expectRefusedUntouched(folder, path, 'store.foreign');
  });

  it('is refused and left unchanged: a database whose program died with work in its log', async () => {
    const folder = newFolder();
    const source = join(newFolder(), 'other.db');
    const foreign = openSqlite(source);
    onTestFinished(() => void foreign.close());
    foreign.pragma('journal_mode = WAL');
    foreign.exec('CREATE TABLE thing (id INTEGER PRIMARY KEY); INSERT INTO thing VALUES (1)');
    const path = join(folder, 'guardkit.db');
    for (const suffix of ['', '-wal']) copyFileSync(`${source}${suffix}`, `${path}${suffix}`);
    await expectRefusedUntouched(folder, path, 'store.foreign');
  });

  it('becomes a new store if it is empty', async () => {
    const path = join(newFolder(), 'guardkit.db');
    writeFileSync(path, '');
    const store = await open(path);
    expect(await store.upsert(note('NOTE-1', 'text'))).toMatchObject({ action: 'created' });
  });
});

describe('a store file', () => {
  it('is created with its folders, readable by its owner only', async () => {
    const folder = newFolder();
    const path = join(folder, 'deep', 'er', 'guardkit.db');
    const store = await open(path);
    await store.upsert(note('NOTE-1', 'text'));
    for (const name of readdirSync(join(folder, 'deep', 'er'))) {
      expect(statSync(join(folder, 'deep', 'er', name)).mode & 0o777, name).toBe(0o600);
    }
    expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700);
  });

  it('is refused and left unchanged if a newer guardkit wrote it', async () => {
    const folder = newFolder();
    const path = join(folder, 'guardkit.db');
    await makeStore(path);
    const raw = openSqlite(path);
    raw.pragma('user_version = 99');
    raw.close();
    await expectRefusedUntouched(folder, path, 'store.newer-schema', /99/);
  });

  it('that was cut short is refused with a clear error, on opening or on reading', async () => {
    const path = join(newFolder(), 'guardkit.db');
    await makeStore(path);
    truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096);
    const size = statSync(path).size;
    const use = async () => {
      const store = await open(path);
      await store.list(NOTES, { limit: 1000 });
    };
    await expect(use()).rejects.toEqual(refusal('store.corrupt'));
    expect(statSync(path).size).toBe(size);
  });

  it('with damaged pages is refused with a clear error, on opening or on reading', async () => {
    const path = join(newFolder(), 'guardkit.db');
    await makeStore(path);
    const bytes = readFileSync(path);
    bytes.fill(0xaa, 4096 * 2);
    writeFileSync(path, bytes);
    const use = async () => {
      const store = await open(path);
      await store.list(NOTES, { limit: 1000 });
      await exported(store);
    };
    await expect(use()).rejects.toEqual(refusal('store.corrupt'));
  });

  it('with damaged pages gives a clear error on writing and exporting too', async () => {
    const path = join(newFolder(), 'guardkit.db');
    await makeStore(path);
    const bytes = readFileSync(path);
    bytes.fill(0xaa, 4096 * 20);
    writeFileSync(path, bytes);
    const outcomes = await Promise.allSettled([
      open(path).then((store) => store.upsert(note('NOTE-0', 'changed'))),
      open(path).then((store) => store.search('text')),
      open(path).then((store) => exported(store)),
      open(path).then((store) => store.counts()),
    ]);
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure).toEqual(refusal('store.corrupt'));
  });
});

describe('an unusable path', () => {
  it('is named: a folder that is a file', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), 'x');
    await expectRefusedUntouched(
      folder,
      join(folder, 'file', 'guardkit.db'),
      'store.not-writable',
      /guardkit\.db/,
    );
  });

  it('is named: a folder where the file should be', async () => {
    const path = join(newFolder(), 'guardkit.db');
    mkdirSync(path);
    await expect(openSqliteStore({ path })).rejects.toEqual(refusal('store.not-writable', /guardkit\.db/));
  });

  it('is named: a read-only folder without a store', async (context) => {
    const folder = makeReadOnly(context, () => {});
    const path = join(folder, 'guardkit.db');
    await expect(openSqliteStore({ path })).rejects.toEqual(refusal('store.not-writable', /guardkit\.db/));
    expect(existsSync(path)).toBe(false);
  });

  it('is named: a read-only folder with a store', async (context) => {
    const source = join(newFolder(), 'guardkit.db');
    await makeStore(source);
    const folder = makeReadOnly(context, (target) => copyFileSync(source, join(target, 'guardkit.db')));
    const path = join(folder, 'guardkit.db');
    const before = contents(folder);
    const use = async () => (await open(path)).upsert(note('NOTE-1', 'changed'));
    await expect(use()).rejects.toEqual(refusal('store.not-writable', /guardkit\.db/));
    expect(contents(folder)).toEqual(before);
  });
});

describe('a store that another process has locked', () => {
  it('can be read, refuses a write after a timeout, and accepts it later', async () => {
    const path = join(newFolder(), 'guardkit.db');
    await makeStore(path);
    const store = await open(path, { busyTimeoutMs: 50 });
    const other = openSqlite(path);
    onTestFinished(() => void other.close());
    other.exec('BEGIN EXCLUSIVE');
    expect(await store.get(NOTES, 'NOTE-1')).toMatchObject({ entity_id: 'NOTE-1' });
    const locked = refusal('store.locked', /guardkit\.db/);
    await expect(store.upsert(note('NOTE-1', 'changed'))).rejects.toEqual(locked);
    await expect(store.upsertMany([note('NOTE-1', 'changed')])).rejects.toEqual(locked);
    await expect(store.delete(NOTES, 'NOTE-1')).rejects.toEqual(locked);
    await expect(store.purge(NOTES)).rejects.toEqual(locked);
    other.exec('COMMIT');
    expect(await store.upsert(note('NOTE-1', 'changed'))).toMatchObject({ action: 'updated' });
  });

  it('is reported when it is opened', async () => {
    const path = join(newFolder(), 'guardkit.db');
    const other = openSqlite(path);
    onTestFinished(() => void other.close());
    other.exec('BEGIN EXCLUSIVE');
    await expect(openSqliteStore({ path, busyTimeoutMs: 50 })).rejects.toEqual(refusal('store.locked'));
  });
});

describe('a full disk', () => {
  it('is reported, keeps existing data, and does no harm once there is space again', async (context) => {
    const folder = smallVolume(context, '3m');
    const path = join(folder, 'guardkit.db');
    const store = await open(path);
    await store.upsert(note('NOTE-1', 'before'));
    const before = await exported(store);
    const filler = join(folder, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(4 * 1024 * 1024))).toThrow(/ENOSPC/);
    const large = note('NOTE-2', 'a long text '.repeat(60_000));
    await expect(store.upsert(large)).rejects.toEqual(refusal('store.disk-full', /guardkit\.db/));
    await expect(store.upsertMany([note('NOTE-1', 'after'), large])).rejects.toEqual(
      refusal('store.disk-full'),
    );
    expect(await exported(store)).toEqual(before);
    rmSync(filler);
    expect(await store.upsert(note('NOTE-1', 'after'))).toMatchObject({ action: 'updated' });
    expect(await store.search('after')).toHaveLength(1);
  });

  it('is reported when there is no room for a new store', async (context) => {
    const folder = smallVolume(context, '256k');
    expect(() => writeFileSync(join(folder, 'filler'), Buffer.alloc(1024 * 1024))).toThrow(/ENOSPC/);
    const path = join(folder, 'guardkit.db');
    await expect(openSqliteStore({ path })).rejects.toEqual(refusal('store.disk-full'));
    rmSync(join(folder, 'filler'));
    const store = await open(path);
    expect(await store.counts()).toEqual([]);
  });
});
