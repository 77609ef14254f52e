import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { isSqliteError, openSqlite } from '../../src/platform/open-sqlite.ts';

const require = createRequire(import.meta.url);
const hasNodeApi10 = Number(process.versions.napi) >= 10;

it('SQLite comes from the newest library that this Node can run', () => {
  const library = require(hasNodeApi10 ? 'better-sqlite3-node-api' : 'better-sqlite3');
  const database = openSqlite(':memory:');
  expect(database).toBeInstanceOf(library);
  database.close();
});

it('an error of SQLite is recognized, whichever library reports it', () => {
  const database = openSqlite(':memory:');
  let error: unknown;
  try {
    database.exec('SELECT * FROM nowhere');
  } catch (thrown) {
    error = thrown;
  }
  database.close();
  expect(isSqliteError(error)).toBe(true);
  expect(isSqliteError(new Error('other'))).toBe(false);
});

// Version 12 aborts on Node 24.19 and newer.
it('statements that nobody holds can be collected', () => {
  const database = openSqlite(':memory:');
  for (let round = 0; round < 20_000; round++) database.prepare(`SELECT ${round}`).pluck().get();
  expect(database.prepare('SELECT 1').pluck().get()).toBe(1);
  database.close();
});
