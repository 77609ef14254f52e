import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../src/platform/open-sqlite.ts';
import type { Filter } from '../../../src/store/episode-store.ts';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { EPISODE_DATABASE } from '../../../src/store/sqlite/schema.ts';

const GROUP = 'shop__turn_states';

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'guardkit.db');
}

function turn(number: number, decision: 'feedback' | 'approved' = 'feedback') {
  return {
    group: GROUP,
    entity_type: 'turn_state',
    body: {
      feature_id: 'FEAT-1',
      task_id: 'TASK-1',
      turn_number: number,
      mode: 'continuing_work',
      player_summary: `worked on renewal ${number}`,
      coach_decision: decision,
    },
  };
}

/** A file with the first schema version: three turns, of which the last was changed once. */
async function makeFirstVersion(path: string): Promise<void> {
  const donor = await openSqliteStore({ path: `${path}.donor` });
  for (const input of [turn(1), turn(2), turn(3), turn(3, 'approved')]) await donor.upsert(input);
  await donor.search('renewal');
  await donor.close();
  openDatabase(path, { ...EPISODE_DATABASE, migrations: EPISODE_DATABASE.migrations.slice(0, 1) }).close();
  const database = openSqlite(path);
  database.pragma('foreign_keys = OFF');
  database.exec(`
    ATTACH '${path}.donor' AS donor;
    INSERT INTO episode_group SELECT * FROM donor.episode_group;
    INSERT INTO episode SELECT seq, uuid, group_id, entity_id, entity_type, name, body, source, content_hash,
      valid_at, invalid_at, created_at, expired_at FROM donor.episode;
    INSERT INTO episode_field SELECT group_id, field, value, seq FROM donor.field_value;
    INSERT INTO declared_edge SELECT * FROM donor.declared_edge;
    -- Written, and not in the search tables yet.
    INSERT INTO search_pending SELECT seq FROM donor.episode;
  `);
  database.close();
}

it('a store of the first schema version is migrated with its content [MEM-3]', async () => {
  const path = newPath();
  await makeFirstVersion(path);
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  expect(await store.info()).toMatchObject({ schemaVersion: EPISODE_DATABASE.migrations.length });

  const ofTask = [{ field: 'task_id', op: 'eq', value: 'TASK-1' } as const];
  expect(await store.latest(GROUP, { where: ofTask })).toMatchObject({
    body: { turn_number: 3, coach_decision: 'approved' },
  });
  const rejected = [{ field: 'coach_decision', op: 'ne', value: 'approved' } as const];
  expect(await store.list(GROUP, { where: rejected })).toHaveLength(2);
  expect(await store.history(GROUP, 'TURN-FEAT-1-TASK-1-T3')).toHaveLength(2);
  expect(await store.find('TURN-FEAT-1-2')).toHaveLength(1);
  expect(await store.search('renewal', { groups: [GROUP] })).toHaveLength(3);
  expect(await store.neighbours({ scope: 'shop', id: 'TASK-1' })).toHaveLength(3);

  await store.upsert(turn(4));
  expect(await store.latest(GROUP, { where: ofTask })).toMatchObject({ body: { turn_number: 4 } });
  expect(await store.neighbours({ scope: 'shop', id: 'TASK-1' })).toHaveLength(4);
  expect(await store.purge(GROUP)).toBe(5);
  expect(await store.list(GROUP, { where: ofTask })).toEqual([]);
});

it('a store of the second schema version is migrated and finds old and new versions by field [MEM-3]', async () => {
  const path = newPath();
  await makeFirstVersion(path);
  openDatabase(path, { ...EPISODE_DATABASE, migrations: EPISODE_DATABASE.migrations.slice(0, 2) }).close();
  const before = openSqlite(path);
  // As its writer left them: the fields in separate rows, the last version not indexed yet.
  before.exec(`DELETE FROM field_value WHERE seq = 4; UPDATE index_state SET entered = 3;`);
  before.close();
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  await store.upsert(turn(4));

  const numbers = async (where: Filter[]) =>
    (await store.list(GROUP, { where, orderBy: { field: 'turn_number', direction: 'desc' } })).map(
      ({ body }) => body.turn_number,
    );
  expect(await numbers([{ field: 'task_id', op: 'eq', value: 'TASK-1' }])).toEqual([4, 3, 2, 1]);
  expect(await numbers([{ field: 'turn_number', op: 'gte', value: 3 }])).toEqual([4, 3]);
  expect(await numbers([{ field: 'coach_decision', op: 'ne', value: 'feedback' }])).toEqual([3]);
  expect(await numbers([{ field: 'player_decision', op: 'eq', value: null }])).toEqual([4, 3, 2, 1]);
  expect(await store.history(GROUP, 'TURN-FEAT-1-TASK-1-T3')).toHaveLength(2);
});

it('the next process reads and indexes what a killed process wrote [MEM-3]', async () => {
  const path = newPath();
  const writer = await openSqliteStore({ path });
  await writer.upsert(turn(1));
  await writer.upsert(turn(2));
  // Not closed yet: to the file this is like a killed process.
  const reader = await openSqliteStore({ path });
  onTestFinished(() => reader.close());
  const raw = openSqlite(path, { readonly: true });
  onTestFinished(() => void raw.close());
  const entered = () => raw.prepare('SELECT count(*) FROM field_value').pluck().get();
  expect(entered()).toBe(0);
  const where = [{ field: 'task_id', op: 'eq', value: 'TASK-1' } as const];
  expect(await reader.latest(GROUP, { where })).toMatchObject({ body: { turn_number: 2 } });
  expect(await reader.find('TURN-FEAT-1-1')).toHaveLength(1);
  expect(await reader.neighbours({ scope: 'shop', id: 'FEAT-1' })).toHaveLength(2);
  expect(await reader.neighbours({ scope: 'shop', id: 'TURN-FEAT-1-TASK-1-T1' })).toHaveLength(2);
  expect(entered()).toBe(0);
  await reader.search('renewal');
  expect(entered()).toBe(10);
  expect(await reader.latest(GROUP, { where })).toMatchObject({ body: { turn_number: 2 } });
  expect(await reader.neighbours({ scope: 'shop', id: 'FEAT-1' })).toHaveLength(2);
  await writer.close();
});

it('a process that ends leaves no fields to index', async () => {
  const path = newPath();
  const writer = await openSqliteStore({ path });
  await writer.upsert(turn(1));
  await writer.close();
  const raw = openSqlite(path, { readonly: true });
  onTestFinished(() => void raw.close());
  expect(raw.prepare('SELECT count(*) FROM field_value').pluck().get()).toBe(5);
});
