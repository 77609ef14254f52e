import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { type Database, openSqlite } from '../../../src/platform/open-sqlite.ts';
import { defineEntryKind, entryKindRegistry } from '../../../src/store/ledger/chain/entry-kind.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { lookupNumbers } from '../../../src/store/ledger/tables/chain-schema.ts';
import { PROJECT, TEST_KINDS, temporaryFolder, temporaryLedger, turn } from './ledger-fixture.ts';

function rawConnection(path: string): Database {
  const database = openSqlite(path);
  onTestFinished(() => {
    database.close();
  });
  return database;
}

describe('appending', () => {
  test('entries are numbered from one in each project and chained by their hashes', () => {
    const ledger = temporaryLedger({ clock: () => Date.parse('2026-03-15T09:30:00Z') });
    const first = ledger.append(PROJECT, 'remark', { text: 'one' });
    const second = ledger.append(PROJECT, 'remark', { text: 'two' });
    const other = ledger.append('blog', 'remark', { text: 'three' });

    expect([first.number, second.number, other.number]).toEqual([1, 2, 1]);
    expect(ledger.entries(PROJECT)).toEqual([
      {
        project: PROJECT,
        number: 1,
        kind: 'remark',
        at: '2026-03-15T09:30:00.000Z',
        body: { text: 'one', author: 'someone' },
        prev_hash: '0'.repeat(64),
        hash: first.hash,
      },
      expect.objectContaining({ number: 2, prev_hash: first.hash, hash: second.hash }),
    ]);
    expect(ledger.head(PROJECT)).toEqual(second);
    expect(ledger.head('nowhere')).toBeUndefined();
    expect(ledger.projects()).toEqual(['blog', PROJECT]);
    expect(ledger.verify(PROJECT)).toEqual({ ok: true, entries: 2 });
    expect(ledger.verify('nowhere')).toEqual({ ok: true, entries: 0 });
  });

  test('the same entry in another ledger has another hash', () => {
    const [one, two] = [temporaryLedger({ clock: () => 0 }), temporaryLedger({ clock: () => 0 })];
    expect(one.id).not.toBe(two.id);
    expect(one.append(PROJECT, 'remark', { text: 'a' }).hash).not.toBe(
      two.append(PROJECT, 'remark', { text: 'a' }).hash,
    );
  });

  test('a ledger keeps its id and its chains when it is opened again', () => {
    const path = join(temporaryFolder(), 'ledger.db');
    const before = openLedger({ path, kinds: TEST_KINDS });
    const head = before.append(PROJECT, 'remark', { text: 'one' });
    before.close();
    const after = temporaryLedger({ path });
    expect(after.id).toBe(before.id);
    expect(after.head(PROJECT)).toEqual(head);
    expect(after.append(PROJECT, 'remark', { text: 'two' }).number).toBe(2);
    expect(after.verify(PROJECT)).toEqual({ ok: true, entries: 2 });
  });

  test('many entries are appended together or not at all', () => {
    const ledger = temporaryLedger();
    const heads = ledger.appendMany(PROJECT, [
      { kind: 'remark', body: { text: 'one' } },
      { kind: 'turn_recorded', body: turn(1) },
    ]);
    expect(heads.map((head) => head.number)).toEqual([1, 2]);
    expect(ledger.appendMany(PROJECT, [])).toEqual([]);
    expect(() =>
      ledger.appendMany(PROJECT, [
        { kind: 'turn_recorded', body: turn(2) },
        { kind: 'remark', body: { txt: 'misspelt' } },
      ]),
    ).toThrow(
      expect.objectContaining({ code: 'ledger.invalid-body', message: expect.stringContaining('txt: ') }),
    );
    expect(ledger.head(PROJECT)).toEqual(heads[1]);
    expect(ledger.outbox.status().pending).toBe(1);
  });

  test('entries can be read by kind, from a number on, and up to a limit', () => {
    const ledger = temporaryLedger();
    for (let number = 1; number <= 6; number += 1) {
      if (number % 2 === 0) ledger.append(PROJECT, 'turn_recorded', turn(number));
      else ledger.append(PROJECT, 'remark', { text: String(number) });
    }
    const numbers = (options: Parameters<typeof ledger.entries>[1]) =>
      ledger.entries(PROJECT, options).map((entry) => entry.number);
    expect(numbers({ kind: 'turn_recorded' })).toEqual([2, 4, 6]);
    expect(numbers({ kind: 'turn_recorded', afterNumber: 2, limit: 1 })).toEqual([4]);
    expect(numbers({ afterNumber: 3 })).toEqual([4, 5, 6]);
    expect(numbers({ limit: 2 })).toEqual([1, 2]);
    expect(numbers({ limit: 0 })).toEqual([]);
    expect(numbers({ kind: 'nothing' })).toEqual([]);
  });

  test('a turn is stored with its defaults and waits in the outbox; a kind without episodes does not', () => {
    const ledger = temporaryLedger({ clock: () => Date.parse('2026-03-15T09:30:00Z') });
    ledger.append(PROJECT, 'remark', { text: 'one' });
    expect(ledger.outbox.status()).toEqual({ pending: 0, refused: 0 });
    ledger.append(PROJECT, 'turn_recorded', { ...turn(1), coach_decision: 'approve' });
    expect(ledger.entries(PROJECT)[1]?.body).toMatchObject({
      coach_decision: 'approved',
      lessons_from_turn: [],
    });
    expect(ledger.outbox.status()).toEqual({ pending: 1, refused: 0, oldestAt: '2026-03-15T09:30:00.000Z' });
  });
});

describe('refusals', () => {
  test.each([
    ['an unknown kind', 'remrak', { text: 'a' }, 'ledger.unknown-kind', '"remrak"'],
    ['a body that does not fit', 'remark', { text: 7 }, 'ledger.invalid-body', 'text: '],
    ['a body that is no object', 'remark', null, 'ledger.invalid-body', 'body: '],
    ['a misspelt field', 'turn_recorded', { ...turn(1), coverge: 1 }, 'ledger.invalid-body', 'coverge: '],
    ['a body over 1 MB', 'turn_recorded', turn(1, 'x'.repeat(10_000_000)), 'ledger.too-large', '10.0 MB'],
  ])('%s is refused, and nothing is written', (_name, kind, body, code, named) => {
    const ledger = temporaryLedger();
    expect(() => ledger.append(PROJECT, kind, body)).toThrow(
      expect.objectContaining({ code, kind: 'input', message: expect.stringContaining(named) }),
    );
    expect(ledger.projects()).toEqual([]);
    expect(ledger.outbox.status()).toEqual({ pending: 0, refused: 0 });
  });

  test('the refusal of an unknown kind lists the known ones', () => {
    expect(() => temporaryLedger().append(PROJECT, 'remrak', {})).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/\bremark, .*\bturn_recorded/) }),
    );
  });

  test.each(['', 'a__b', '../up', 'a b', 'x'.repeat(101)])('"%s" is refused as a project id', (project) => {
    expect(() => temporaryLedger().append(project, 'remark', { text: 'a' })).toThrow(
      expect.objectContaining({ code: 'ledger.illegal-project' }),
    );
  });

  test('an entry whose episode the store would refuse is refused at once', () => {
    const misplaced = defineEntryKind({
      kind: 'misplaced',
      schema: z.strictObject({ text: z.string() }),
      freeText: [],
      episodes: ({ project, body }) => [{ group: `${project}__turn_states`, entity_type: 'note', body }],
    });
    const ledger = temporaryLedger({ kinds: entryKindRegistry([misplaced]) });
    expect(() => ledger.append(PROJECT, 'misplaced', { text: 'a' })).toThrow(
      expect.objectContaining({ code: 'entity.wrong-group' }),
    );
    expect(ledger.projects()).toEqual([]);
  });

  test('entries cannot be changed, removed, replaced or inserted before the end', () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'remark', { text: 'one' });
    ledger.append(PROJECT, 'remark', { text: 'two' });
    const raw = rawConnection(ledger.path);
    for (const statement of [
      "UPDATE entries SET body = '{}'",
      'DELETE FROM entries WHERE number = 2',
      "INSERT OR REPLACE INTO entries SELECT project, 1, kind, at, '{}', prev_hash, hash FROM entries WHERE number = 1",
      'INSERT INTO entries SELECT project, 9, kind, at, body, prev_hash, hash FROM entries WHERE number = 1',
      'UPDATE heads SET number = 1',
      'DELETE FROM heads',
      "UPDATE ledger SET id = 'x'",
      'DELETE FROM ledger',
    ]) {
      expect(() => raw.exec(statement), statement).toThrow(/ledger/);
    }
    expect(ledger.verify(PROJECT)).toEqual({ ok: true, entries: 2 });
  });
});

describe('secrets', () => {
  const secret = 'AKIAIOSFODNN7EXAMPLE';

  test('are scrubbed from free text before anything is stored or hashed', () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'turn_recorded', {
      ...turn(1, `used ${secret}`),
      lessons_from_turn: [`do not print ${secret}`],
    });
    expect(ledger.entries(PROJECT)[0]?.body).toMatchObject({
      player_summary: 'used [scrubbed:aws-key]',
      lessons_from_turn: ['do not print [scrubbed:aws-key]'],
    });
    const bodies = rawConnection(ledger.path).prepare('SELECT body FROM entries').pluck().all();
    expect(String(bodies[0])).not.toContain(secret);
  });

  test('are kept in fields that are not free text', () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'remark', { text: '', author: secret });
    expect(ledger.entries(PROJECT)[0]?.body.author).toBe(secret);
  });

  test('a text that is too long after scrubbing is refused', () => {
    const ledger = temporaryLedger();
    const text = `${'x'.repeat(80)} ${'ghp_'}${'a'.repeat(15)}`;
    expect(text).toHaveLength(100);
    ledger.append(PROJECT, 'remark', { text });
    const grows = `${'x'.repeat(79)} pwd="${'a1b2c3d'}" ${'y'.repeat(6)}`;
    expect(grows).toHaveLength(100);
    expect(() => ledger.append(PROJECT, 'remark', { text: grows })).toThrow('text: ');
    expect(ledger.head(PROJECT)?.number).toBe(1);
  });
});

describe('versions of guardkit', () => {
  test('an entry of an unknown, newer kind is read as plain JSON', () => {
    const newer = temporaryLedger();
    newer.append(PROJECT, 'remark', { text: 'from the future' });
    const older = temporaryLedger({ path: newer.path, kinds: entryKindRegistry([]) });
    expect(older.entries(PROJECT)[0]).toMatchObject({ kind: 'remark', body: { text: 'from the future' } });
    expect(older.verify(PROJECT)).toEqual({ ok: true, entries: 1 });
  });

  test('an entry that does not fit its kind is an error that names it', () => {
    const newer = temporaryLedger();
    newer.append(PROJECT, 'remark', { text: 'with an author' });
    const plain = defineEntryKind({
      kind: 'remark',
      schema: z.strictObject({ text: z.string() }),
      freeText: [],
    });
    const older = temporaryLedger({ path: newer.path, kinds: entryKindRegistry([plain]) });
    expect(() => older.entries(PROJECT)).toThrow(
      expect.objectContaining({
        code: 'ledger.unreadable-entry',
        message: expect.stringMatching(/\b1\b/),
      }),
    );
  });
});

describe('an invalid ledger file', () => {
  const opening = (path: string) => () => openLedger({ path });

  test('only its owner can read it', () => {
    expect(statSync(temporaryLedger().path).mode & 0o777).toBe(0o600);
  });

  test('damaged, foreign and newer files are refused with a remedy and left unchanged', () => {
    const folder = temporaryFolder();
    const damaged = join(folder, 'damaged.db');
    writeFileSync(
      damaged,
      'this is not a database, it is a text that is long enough to look like a page of one',
    );
    expect(opening(damaged)).toThrow(expect.objectContaining({ code: 'store.corrupt', kind: 'outside' }));

    const foreign = join(folder, 'foreign.db');
    rawConnection(foreign).exec('CREATE TABLE other (x)');
    expect(opening(foreign)).toThrow(expect.objectContaining({ code: 'store.foreign', kind: 'outside' }));

    const newer = temporaryLedger();
    rawConnection(newer.path).pragma('user_version = 99');
    expect(opening(newer.path)).toThrow(
      expect.objectContaining({ code: 'store.newer-schema', kind: 'outside' }),
    );
  });

  test('reports a folder that is not writable', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(opening(join(folder, 'file', 'ledger.db'))).toThrow(
      expect.objectContaining({ code: 'store.not-writable', kind: 'outside' }),
    );
    mkdirSync(join(folder, 'ledger.db'));
    expect(opening(join(folder, 'ledger.db'))).toThrow(
      expect.objectContaining({ code: 'store.not-writable', kind: 'outside' }),
    );
  });

  test.skipIf(process.getuid?.() === 0)('reports a file that is not writable', () => {
    const path = join(temporaryFolder(), 'ledger.db');
    openLedger({ path }).close();
    chmodSync(path, 0o400);
    expect(opening(path)).toThrow(expect.objectContaining({ code: 'store.not-writable', kind: 'outside' }));
  });

  test('a ledger locked by another process can be read, and appending gives a remedy', () => {
    const ledger = temporaryLedger({ busyTimeoutMs: 1 });
    ledger.append(PROJECT, 'remark', { text: 'one' });
    const other = rawConnection(ledger.path);
    other.exec('BEGIN IMMEDIATE');
    expect(() => ledger.append(PROJECT, 'remark', { text: 'two' })).toThrow(
      expect.objectContaining({
        code: 'store.locked',
        kind: 'outside',
        message: expect.stringContaining(ledger.path),
      }),
    );
    expect(ledger.entries(PROJECT)).toHaveLength(1);
    other.exec('ROLLBACK');
    expect(ledger.append(PROJECT, 'remark', { text: 'two' }).number).toBe(2);
  });

  test('a ledger without its id is refused', () => {
    const ledger = temporaryLedger();
    rawConnection(ledger.path).exec('DROP TRIGGER ledger_id_stays; DELETE FROM ledger');
    expect(opening(ledger.path)).toThrow(expect.objectContaining({ code: 'ledger.broken', kind: 'outside' }));
  });

  test.each(['DELETE FROM entries WHERE number = 2', 'DELETE FROM heads', 'UPDATE heads SET number = 1'])(
    'a chain with an altered end is not continued: %s',
    (tampering) => {
      const ledger = temporaryLedger();
      ledger.append(PROJECT, 'remark', { text: 'one' });
      ledger.append(PROJECT, 'remark', { text: 'two' });
      const raw = rawConnection(ledger.path);
      raw.exec(
        `DROP TRIGGER entries_stay; DROP TRIGGER heads_stay; DROP TRIGGER heads_go_forward; ${tampering}`,
      );
      expect(() => ledger.append(PROJECT, 'remark', { text: 'three' })).toThrow(
        expect.objectContaining({ code: 'ledger.broken', kind: 'outside' }),
      );
      expect(ledger.verify(PROJECT).ok).toBe(false);
      expect(ledger.append('blog', 'remark', { text: 'another chain' }).number).toBe(1);
    },
  );
});

describe('lookup', () => {
  const of = (feature: string, task: string, number: number) => ({
    ...turn(number),
    feature_id: feature,
    task_id: task,
  });

  test('returns the entries of a kind with a value, newest first, and none of other projects', () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'turn_recorded', of('FEAT-1', 'TASK-1', 1));
    ledger.append(PROJECT, 'turn_recorded', of('FEAT-2', 'TASK-2', 1));
    ledger.append('blog', 'turn_recorded', of('FEAT-1', 'TASK-1', 9));
    ledger.append(PROJECT, 'task_reset', { task_id: 'TASK-1', by: 'Ada', reason: '' });
    ledger.append(PROJECT, 'turn_recorded', of('FEAT-1', 'TASK-1', 2));
    const found = (field: 'feature_id' | 'task_id', value: string) =>
      [...ledger.lookup(PROJECT, { kind: 'turn_recorded', field, value })].map(
        ({ body }) => body.turn_number,
      );
    expect(found('feature_id', 'FEAT-1')).toEqual([2, 1]);
    expect(found('task_id', 'TASK-2')).toEqual([1]);
    expect(found('task_id', "TASK-1' OR 1=1 --")).toEqual([]);
  });

  test('allows appending during iteration', () => {
    const ledger = temporaryLedger();
    for (const number of [1, 2]) ledger.append(PROJECT, 'turn_recorded', of('FEAT-1', 'TASK-1', number));
    const lookup = ledger.lookup(PROJECT, { kind: 'turn_recorded', field: 'task_id', value: 'TASK-1' });
    for (const { number } of lookup) ledger.append(PROJECT, 'remark', { text: `saw ${number}` });
    expect(ledger.head(PROJECT)?.number).toBe(4);
  });

  test('reads only the entries it returns', () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'turn_recorded', of('FEAT-1', 'TASK-1', 1));
    const plans = rawConnection(ledger.path)
      .prepare(`EXPLAIN QUERY PLAN ${lookupNumbers('tree')}`)
      .all({ project: PROJECT, kind: 'evidence_recorded', value: 'x' }) as { detail: string }[];
    expect(plans.map(({ detail }) => detail).join()).toMatch(/USING (?:COVERING )?INDEX entries_by_tree/);
  });

  test('finds entries from before the indexes existed', () => {
    const path = join(temporaryFolder(), 'ledger.db');
    const before = openLedger({ path, kinds: TEST_KINDS });
    before.append(PROJECT, 'turn_recorded', of('FEAT-1', 'TASK-1', 1));
    before.close();
    const raw = rawConnection(path);
    for (const field of ['tree', 'feature_id', 'task_id']) raw.exec(`DROP INDEX entries_by_${field}`);
    const tables = raw
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .pluck()
      .all()
      .map(String);
    const first = ['ledger', 'entries', 'heads', 'outbox'];
    for (const later of tables.filter((name) => !first.includes(name) && !name.startsWith('sqlite_')))
      raw.exec(`DROP TABLE ${later}`);
    raw.pragma('user_version = 1');
    rmSync(join(dirname(path), 'keys'), { recursive: true });
    const after = temporaryLedger({ path });
    expect([
      ...after.lookup(PROJECT, { kind: 'turn_recorded', field: 'feature_id', value: 'FEAT-1' }),
    ]).toHaveLength(1);
  });
});
