import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ENTITY_REGISTRY } from '../../../src/domain/entities/entity-types.ts';
import { openSqlite } from '../../../src/platform/open-sqlite.ts';
import { prepareEpisode } from '../../../src/store/prepare-episode.ts';
import { Indexer } from '../../../src/store/sqlite/indexer.ts';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { EPISODE_DATABASE } from '../../../src/store/sqlite/schema.ts';
import { fieldsJson, relationsJson } from '../../../src/store/sqlite/version-fields.ts';
import { WriteTransaction } from '../../../src/store/sqlite/write-transaction.ts';
import { TURNS, turn } from '../../contracts/inputs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CLEARED = 'demo__failure_patterns';
const THIRD = { ...EPISODE_DATABASE, migrations: EPISODE_DATABASE.migrations.slice(0, 3) };
const AT = Date.parse('2026-01-01T00:00:00.000Z');

function summary(number: number, text: string) {
  return turn({ turn: number }, { player_summary: text });
}

/**
 * A file with the third schema version, written by its own statements: turn 1, turn 2 in two versions, the deleted
 * turn 3, turn 4, which is not indexed yet, and then a purged group.
 */
function makeThirdVersion(path: string): void {
  const database = openDatabase(path, THIRD);
  database.exec(`INSERT INTO episode_group (name) VALUES ('${TURNS}'), ('${CLEARED}')`);
  const insert = database.prepare(
    `INSERT INTO episode (uuid, group_id, entity_id, entity_type, name, body, source, content_hash,
       valid_at, invalid_at, created_at, expired_at, relations, fields)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, NULL, ?, ?)`,
  );
  const write = (uuid: string, groupId: number, input: ReturnType<typeof turn>) => {
    const one = prepareEpisode(input, ENTITY_REGISTRY);
    const { entityId, entityType, name, bodyJson, source, contentHash } = one;
    const row = [uuid, groupId, entityId, entityType, name, bodyJson, source, contentHash, AT, AT];
    insert.run(...row, relationsJson(one), fieldsJson(one.fields));
  };
  const close = (seq: number) => {
    database.prepare('UPDATE episode SET invalid_at = ?, expired_at = ? WHERE seq = ?').run(AT, AT, seq);
    database.prepare('INSERT OR IGNORE INTO search_pending (seq) VALUES (?)').run(seq);
  };
  const indexer = new Indexer(database, ENTITY_REGISTRY, new WriteTransaction(database));
  write('uuid-1', 1, summary(1, 'tamed the walrus'));
  write('uuid-2', 1, summary(2, 'asked the carpenter'));
  indexer.flush();
  close(2);
  write('uuid-3', 1, summary(2, 'asked the walrus'));
  write('uuid-4', 1, summary(3, 'sang to the oysters'));
  indexer.flush();
  close(4);
  database.prepare('INSERT INTO vector (seq, model, vector) VALUES (1, ?, ?)').run('tiny', Buffer.alloc(8));
  database.exec("INSERT INTO stream_position VALUES ('ledger', 12)");
  write('uuid-5', 1, summary(4, 'walked on the beach'));
  for (let number = 6; number <= 9; number += 1) {
    write(`uuid-${number}`, 2, {
      ...summary(number, 'cabbages'),
      group: CLEARED,
      entity_type: 'note',
      body: { title: 'x', text: 'y' },
      entity_id: `NOTE-${number}`,
    });
  }
  database.exec('DELETE FROM episode WHERE group_id = 2');
  database.close();
}

function openRaw(path: string) {
  const raw = openSqlite(path);
  onTestFinished(() => void raw.close());
  return raw;
}

async function openMigrated() {
  const path = join(temporaryFolder(), 'guardkit.db');
  makeThirdVersion(path);
  const before = openRaw(path);
  expect(before.pragma('user_version', { simple: true })).toBe(3);
  const rows = before
    .prepare('SELECT seq, uuid, body, fields, relations, expired_at FROM episode ORDER BY seq')
    .all();
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  return { path, store, rows, raw: openRaw(path) };
}

it('a store of the third schema version is migrated with its content [MEM-3]', async () => {
  const { store, rows, raw } = await openMigrated();
  expect(await store.info()).toMatchObject({ schemaVersion: EPISODE_DATABASE.migrations.length });
  const columns = 'seq, uuid, body, fields, relations, expired_at';
  expect(raw.prepare(`SELECT ${columns} FROM episode ORDER BY seq`).all()).toEqual(rows);
  expect(rows).toHaveLength(5);
  expect(raw.pragma('foreign_key_check')).toEqual([]);
  expect(raw.prepare('SELECT seq, model FROM vector').all()).toEqual([{ seq: 1, model: 'tiny' }]);
  expect(raw.prepare('SELECT number FROM stream_position').pluck().all()).toEqual([12]);

  const numbers = (await store.list(TURNS)).map(({ body }) => body.turn_number);
  expect(numbers.sort()).toEqual([1, 2, 4]);
  expect(await store.history(TURNS, 'TURN-FEAT-AUTH-TASK-1-T2')).toHaveLength(2);
  expect(await store.history(TURNS, 'TURN-FEAT-AUTH-TASK-1-T3')).toHaveLength(1);
  const ofTask = [{ field: 'task_id', op: 'eq', value: 'TASK-1' } as const];
  expect(await store.latest(TURNS, { where: ofTask })).toMatchObject({ body: { turn_number: 4 } });
  expect(await store.neighbours({ scope: 'demo', id: 'TASK-1' })).toHaveLength(3);
  expect(await store.search('walrus')).toHaveLength(2);
  expect(await store.search('carpenter')).toEqual([]);
  expect(await store.search('carpenter', { asOf: { knownAt: '2025-12-31' } })).toEqual([]);
  expect(await store.search('oysters')).toEqual([]);
  expect(await store.search('beach')).toHaveLength(1);
  expect(await store.counts()).toEqual([{ group: TURNS, episodes: 3, versions: 5 }]);
});

it('new versions get an unused number, and are found', async () => {
  const { store, raw } = await openMigrated();
  await store.upsert(summary(5, 'a new walrus'));
  expect(raw.prepare('SELECT max(seq) FROM episode').pluck().get()).toBe(10);
  expect(await store.search('walrus')).toHaveLength(3);
  await store.upsert(summary(5, 'no longer one'));
  expect(await store.search('walrus')).toHaveLength(2);
  expect(await store.history(TURNS, 'TURN-FEAT-AUTH-TASK-1-T5')).toHaveLength(2);
});

it('versions written after the newest were purged get a new number, and every process finds them', async () => {
  const { path, store, raw } = await openMigrated();
  await store.upsert(summary(5, 'gone soon'));
  expect(await store.search('soon')).toHaveLength(1);
  expect(await store.purge(TURNS)).toBe(6);
  expect(raw.prepare('SELECT count(*) FROM vector').pluck().get()).toBe(0);
  expect(raw.prepare('SELECT count(*) FROM declared_edge').pluck().get()).toBe(0);
  await store.upsert(summary(6, 'fed the walrus'));
  expect(raw.prepare('SELECT seq FROM episode').pluck().all()).toEqual([11]);
  const other = await openSqliteStore({ path });
  onTestFinished(() => other.close());
  for (const one of [store, other]) {
    expect(await one.search('walrus', { groups: [TURNS] })).toHaveLength(1);
    expect(await one.search('soon')).toEqual([]);
    expect(await one.find('TURN-FEAT-AUTH-6')).toHaveLength(1);
  }
});

it('a failed migration leaves the file unchanged', async () => {
  const path = join(temporaryFolder(), 'guardkit.db');
  makeThirdVersion(path);
  const [last = ''] = EPISODE_DATABASE.migrations.slice(3);
  const failing = { ...EPISODE_DATABASE, migrations: [...THIRD.migrations, `${last}; SELECT nonsense;`] };
  expect(() => openDatabase(path, failing)).toThrow(/nonsense/);
  const raw = openRaw(path);
  expect(raw.pragma('user_version', { simple: true })).toBe(3);
  expect(raw.prepare('SELECT count(*) FROM episode').pluck().get()).toBe(5);
  expect(raw.prepare('SELECT count(*) FROM vector').pluck().get()).toBe(1);
  expect(raw.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'episode'").pluck().get()).toBe(9);
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  expect(await store.search('walrus')).toHaveLength(2);
});
