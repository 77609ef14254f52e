import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { type Database, openSqlite } from '../../../../src/platform/open-sqlite.ts';
import { ENTRY_COLUMNS, entryHash } from '../../../../src/store/ledger/chain/entry-hash.ts';
import { type EntryRow, entryRowSchema } from '../../../../src/store/ledger/chain/ledger-entry.ts';
import type { Ledger } from '../../../../src/store/ledger/ledger.ts';
import { runs } from '../../../support/thorough.ts';
import { PROJECT, temporaryLedger } from '../ledger-fixture.ts';

const LENGTH = 8;

/** A chain in a real file that can be rewritten freely: its triggers are removed. */
class Tamperable {
  readonly ledger: Ledger = temporaryLedger();
  readonly #raw: Database;
  readonly original: readonly EntryRow[];
  /** An entry of another chain in the same ledger. */
  readonly stranger: EntryRow;

  constructor() {
    for (let number = 1; number <= LENGTH; number += 1) {
      this.ledger.append(PROJECT, 'remark', { text: `entry ${number}` });
      this.ledger.append('blog', 'remark', { text: `entry ${number}` });
    }
    this.#raw = openSqlite(this.ledger.path);
    this.#raw.pragma('synchronous = OFF');
    onTestFinished(() => {
      this.#raw.close();
    });
    const triggers = this.#raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
    for (const trigger of triggers) this.#raw.exec(`DROP TRIGGER ${trigger}`);
    this.original = this.#rows(PROJECT);
    this.stranger = z.tuple([entryRowSchema]).rest(entryRowSchema).parse(this.#rows('blog'))[0];
  }

  #rows(project: string): EntryRow[] {
    const rows = this.#raw.prepare(`SELECT ${ENTRY_COLUMNS} FROM entries WHERE project = ? ORDER BY number`);
    return z.array(entryRowSchema).parse(rows.all(project));
  }

  exec(sql: string): void {
    this.#raw.exec(sql);
  }

  write(rows: readonly EntryRow[]): void {
    const insert = this.#raw.prepare(
      `INSERT INTO entries (${ENTRY_COLUMNS}) VALUES (@project, @number, @kind, @at, @body, @prev_hash, @hash)`,
    );
    this.#raw.transaction(() => {
      this.#raw.prepare('DELETE FROM entries WHERE project = ?').run(PROJECT);
      for (const row of rows) insert.run(row);
    })();
  }

  verify(rows: readonly EntryRow[]) {
    this.write(rows);
    return this.ledger.verify(PROJECT);
  }
}

type Tampering = (rows: EntryRow[], stranger: EntryRow) => EntryRow[];

const place = fc.nat({ max: LENGTH - 1 });
const hash = fc.constantFrom('0'.repeat(64), 'f'.repeat(64), 'ab');

function renumber(rows: EntryRow[]): EntryRow[] {
  return rows.map((row, index) => ({ ...row, number: index + 1 }));
}

function edit(rows: EntryRow[], at: number, change: (row: EntryRow) => Partial<EntryRow>): EntryRow[] {
  return rows.map((row, index) => (index === at ? { ...row, ...change(row) } : row));
}

/** Every kind of tampering without recomputing hashes. */
const careless: fc.Arbitrary<Tampering> = fc.oneof(
  fc.tuple(place, fc.json()).map(
    ([at, body]) =>
      (rows: EntryRow[]) =>
        edit(rows, at, () => ({ body })),
  ),
  fc.tuple(place, fc.integer({ min: 0 })).map(
    ([at, time]) =>
      (rows: EntryRow[]) =>
        edit(rows, at, () => ({ at: time })),
  ),
  place.map((at) => (rows: EntryRow[]) => edit(rows, at, ({ body }) => ({ body: `${body} ` }))),
  place.map((at) => (rows: EntryRow[]) => edit(rows, at, ({ kind }) => ({ kind: `${kind}s` }))),
  fc.tuple(place, hash).map(
    ([at, value]) =>
      (rows: EntryRow[]) =>
        edit(rows, at, () => ({ hash: value })),
  ),
  fc.tuple(place, hash).map(
    ([at, value]) =>
      (rows: EntryRow[]) =>
        edit(rows, at, () => ({ prev_hash: value })),
  ),
  place.map((at) => (rows: EntryRow[]) => rows.filter((_row, index) => index !== at)),
  place.map((at) => (rows: EntryRow[]) => renumber(rows.filter((_row, index) => index !== at))),
  place.map((at) => (rows: EntryRow[]) => rows.slice(0, at)),
  fc.tuple(place, place).map(([from, to]) => (rows: EntryRow[]) => {
    const moved = rows.filter((_row, index) => index !== from);
    moved.splice(to, 0, ...rows.slice(from, from + 1));
    return renumber(moved);
  }),
  fc.tuple(place, place).map(([one, two]) => (rows: EntryRow[]) => {
    const [first, second] = [rows[one], rows[two]];
    if (!first || !second) return rows;
    const numbered = rows.map((row, index) => (index === one ? second : index === two ? first : row));
    return numbered.map((row, index) => ({ ...row, number: rows[index]?.number ?? row.number }));
  }),
  fc.tuple(place, place).map(
    ([from, to]) =>
      (rows: EntryRow[]) =>
        renumber(rows.toSpliced(to, 0, ...rows.slice(from, from + 1))),
  ),
  place.map(
    (to) => (rows: EntryRow[], stranger: EntryRow) =>
      renumber(rows.toSpliced(to, 0, { ...stranger, project: PROJECT })),
  ),
);

/** The number of the first altered entry, which verify must report. */
function firstDifference(original: readonly EntryRow[], rows: readonly EntryRow[]): number | undefined {
  for (let index = 0; index < Math.max(original.length, rows.length); index += 1) {
    if (JSON.stringify(original[index]) !== JSON.stringify(rows[index])) return index + 1;
  }
  return undefined;
}

describe('verify', () => {
  test('names the first broken entry after any careless tampering, and finds nothing in an intact chain [LEDGER-2]', () => {
    const chain = new Tamperable();
    fc.assert(
      fc.property(fc.array(careless, { minLength: 1, maxLength: 4 }), (tamperings) => {
        const rows = tamperings.reduce((now, tamper) => tamper(now, chain.stranger), [...chain.original]);
        const broken = firstDifference(chain.original, rows);
        const verdict = chain.verify(rows);
        expect(verdict).toEqual(
          broken === undefined
            ? { ok: true, entries: LENGTH }
            : { ok: false, number: broken, reason: expect.any(String) },
        );
      }),
      { numRuns: runs(400) },
    );
  });

  const everyPlace = Array.from({ length: LENGTH }, (_none, index) => index);

  test('names an entry whose content and hash were both changed', () => {
    const chain = new Tamperable();
    for (const at of everyPlace) {
      const rows = edit([...chain.original], at, (row) => {
        const changed = { ...row, body: '{"text":"never happened","author":"me"}' };
        return { ...changed, hash: entryHash(chain.ledger.id, changed) };
      });
      expect(chain.verify(rows)).toMatchObject({ ok: false, number: at + 1 });
    }
  });

  test('names an inserted entry with the right link and hash', () => {
    const chain = new Tamperable();
    for (const at of [...everyPlace, LENGTH]) {
      const prev_hash = chain.original[at - 1]?.hash ?? '0'.repeat(64);
      // At a different time than any entry of the chain, or it could be the original entry.
      const inserted = {
        ...chain.stranger,
        project: PROJECT,
        number: at + 1,
        at: chain.stranger.at + 86_400_000,
        prev_hash,
      };
      const rows = chain.original.toSpliced(at, 0, {
        ...inserted,
        hash: entryHash(chain.ledger.id, inserted),
      });
      expect(chain.verify(renumber(rows))).toMatchObject({
        ok: false,
        number: at + 1,
        reason: /inserted|added/,
      });
    }
  });

  test('names entry 1 if a later one replaced it with a matching hash', () => {
    const chain = new Tamperable();
    const rows = edit([...chain.original], 0, (row) => {
      const changed = { ...row, prev_hash: 'f'.repeat(64) };
      return { ...changed, hash: entryHash(chain.ledger.id, changed) };
    });
    expect(chain.verify(rows)).toMatchObject({ ok: false, number: 1 });
  });

  test('detects a chain rewritten to its end, by its unchanged head', () => {
    const chain = new Tamperable();
    let prev_hash = '0'.repeat(64);
    const rows = chain.original.map((row) => {
      const changed = { ...row, at: row.at + 1, prev_hash };
      prev_hash = entryHash(chain.ledger.id, changed);
      return { ...changed, hash: prev_hash };
    });
    expect(chain.verify(rows)).toMatchObject({ ok: false, number: LENGTH });
  });

  test.each([
    ['DELETE FROM heads', LENGTH],
    ['UPDATE heads SET number = 3', 4],
    ['UPDATE heads SET number = 20', LENGTH + 1],
    ["UPDATE heads SET hash = 'ab'", LENGTH],
  ])('detects a head that was tampered with: %s', (tampering, number) => {
    const chain = new Tamperable();
    chain.exec(tampering);
    expect(chain.ledger.verify(PROJECT)).toMatchObject({ ok: false, number });
    expect(chain.ledger.projects()).toContain(PROJECT);
  });

  test('detects an emptied chain', () => {
    const chain = new Tamperable();
    expect(chain.verify([])).toMatchObject({ ok: false, number: 1, reason: /missing/ });
  });

  test('detects an entry numbered before the first', () => {
    const chain = new Tamperable();
    chain.exec('PRAGMA ignore_check_constraints = ON');
    expect(
      chain.verify([{ ...chain.stranger, project: PROJECT, number: 0 }, ...chain.original]),
    ).toMatchObject({
      ok: false,
      number: 0,
    });
  });

  test('tampering with one project leaves the others intact', () => {
    const chain = new Tamperable();
    expect(chain.verify([]).ok).toBe(false);
    expect(chain.ledger.verify('blog')).toEqual({ ok: true, entries: LENGTH });
  });
});
