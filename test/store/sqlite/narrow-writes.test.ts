import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../src/platform/open-sqlite.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { TICKETS, TYPES_WITH_TICKET, ticket } from '../../contracts/ticket.ts';

async function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-narrow-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'guardkit.db');
  const store = await openSqliteStore({ path, entityTypes: TYPES_WITH_TICKET });
  const raw = openSqlite(path);
  onTestFinished(async () => {
    raw.close();
    await store.close();
  });
  return { store, raw };
}

function turn(summary: string) {
  const body = {
    feature_id: 'F',
    task_id: 'T',
    turn_number: 1,
    mode: 'fresh_start',
    player_summary: summary,
  };
  return { group: 'shop__turn_states', entity_type: 'turn_state', body };
}

it('an unchanged upsert writes nothing at all [MEM-4]', async () => {
  const { store, raw } = await openFile();
  const { uuid } = await store.upsert(turn('first'));
  await store.search('first');
  const version = () => raw.pragma('data_version', { simple: true });
  const before = version();
  expect(await store.upsert(turn('first'))).toEqual({ action: 'unchanged', uuid });
  expect(version()).toBe(before);
  expect(await store.upsert(turn('second'))).toMatchObject({ action: 'updated', previousUuid: uuid });
  expect(version()).not.toBe(before);
});

it('versions with fields in their own row and in separate rows are filtered and sorted alike', async () => {
  const { store, raw } = await openFile();
  await store.upsert(ticket('whole', { priority: 2, parent: 'P' }));
  await store.upsert(ticket('fraction', { priority: 1.5, parent: 'P' }));
  await store.upsert(ticket('several', { priority: 3, parent: 'P', labels: ['a', 'b'] }));
  await store.upsert(ticket('none', { parent: 'P' }));
  await store.upsert(ticket('control', { priority: 4, parent: 'P\u0001' }));
  const rows = raw.prepare('SELECT entity_id FROM episode WHERE fields IS NULL ORDER BY seq').pluck();
  expect(rows.all()).toEqual(['fraction', 'several', 'control']);

  const ids = async (field: string, op: 'eq' | 'ne' | 'gt' | 'lte', value: string | number | null) => {
    const orderBy = { field: 'priority', direction: 'asc' } as const;
    const found = await store.list(TICKETS, { where: [{ field, op, value }], orderBy });
    return found.map(({ entity_id }) => entity_id);
  };
  for (const state of ['before they are in the index', 'after']) {
    expect(await ids('parent', 'eq', 'P'), state).toEqual(['none', 'fraction', 'whole', 'several']);
    expect(await ids('parent', 'eq', 'P\u0001'), state).toEqual(['control']);
    expect(await ids('priority', 'gt', 1.5), state).toEqual(['whole', 'several', 'control']);
    expect(await ids('priority', 'eq', 1.5), state).toEqual(['fraction']);
    expect(await ids('priority', 'eq', null), state).toEqual(['none']);
    expect(await ids('priority', 'ne', 2), state).toEqual(['none', 'fraction', 'several', 'control']);
    expect(await ids('labels', 'eq', 'b'), state).toEqual(['several']);
    expect(await ids('labels', 'ne', 'b'), state).toEqual(['none', 'fraction', 'whole', 'control']);
    expect(await ids('parent', 'lte', 'P'), state).toEqual(['none', 'fraction', 'whole', 'several']);
    await store.search('ticket');
  }
});

it('one index finds an entity’s current version and all its versions', async () => {
  const { raw } = await openFile();
  const plan = (where: string) =>
    raw
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN SELECT body FROM episode WHERE ${where}`)
      .all()
      .map(({ detail }) => detail);
  expect(plan("group_id = 1 AND entity_id = 'x' AND version_key = 0")).toEqual([
    'SEARCH episode USING INDEX episode_entity (group_id=? AND entity_id=? AND version_key=?)',
  ]);
  expect(plan("group_id = 1 AND entity_id = 'x'")).toEqual([
    'SEARCH episode USING INDEX episode_entity (group_id=? AND entity_id=?)',
  ]);
});

it('the file itself refuses two current versions of an entity', async () => {
  const { store, raw } = await openFile();
  await store.upsert(turn('first'));
  await store.upsert(turn('second'));
  expect(() => raw.exec('UPDATE episode SET expired_at = NULL')).toThrow(/UNIQUE/);
});
