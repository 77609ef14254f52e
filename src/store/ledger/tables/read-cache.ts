import { isListOf, isShape, isText } from '../../../domain/json/plain-shape.ts';
import type { Database } from '../../sqlite/open-database.ts';
import { perDatabase } from '../../sqlite/statements.ts';
import type { Ledger } from '../ledger.ts';
import { brokenLedger } from '../open-ledger-file.ts';
import { isReadingSealed, readingSeal } from '../signing/seals.ts';

const isReading = isShape({ path: isText, stamp: isText, body: isText, seal: isText });
const areReadings = isListOf(isReading);

/** The cached result, if the stamp is unchanged. */
export function findCached(ledger: Ledger, path: string, stamp: string): unknown {
  const last = findLastCached(ledger, path);
  return last?.stamp === stamp ? last.body : undefined;
}

/**
 * The cached result with its stamp; undefined if something other than GuardKit wrote it. Not to be changed: it is the same
 * object as long as the row is the same.
 */
export function findLastCached(ledger: Ledger, path: string): { stamp: string; body: unknown } | undefined {
  const { database, attempt, signatures } = ledger.file;
  const known = knownOf(database);
  const last = known.get(path);
  if (last && attempt(() => hasSeal(database, path, last))) return last.result;
  const row = attempt(() =>
    database.prepare('SELECT path, stamp, body, seal FROM readings WHERE path = ?').get(path),
  );
  known.delete(path);
  if (row === undefined) return undefined;
  if (!isReading(row)) throw unreadable(ledger);
  if (!isReadingSealed(ledger.file, row)) return undefined;
  const result = { stamp: row.stamp, body: JSON.parse(row.body) };
  if (known.size >= MAX_KNOWN) known.clear();
  // Without the key nothing was checked.
  if (row.body.length <= MAX_CHARACTERS && !signatures.isHidden) known.set(path, { seal: row.seal, result });
  return result;
}

/** The seal covers the whole row, so a row with a known seal need not be read. */
function hasSeal(database: Database, path: string, { seal, result }: KnownReading): boolean {
  const same = database.prepare('SELECT 1 FROM readings WHERE path = ? AND seal = ? AND stamp = ?').pluck();
  return same.get(path, seal, result.stamp) === 1;
}

interface KnownReading {
  seal: string;
  result: { stamp: string; body: unknown };
}

/** By path: reading a long row, checking its seal and parsing it take longer than the rest of a decision. */
const knownOf = perDatabase(() => new Map<string, KnownReading>());
const MAX_KNOWN = 500;
const MAX_CHARACTERS = 100_000;

export function cacheRead(ledger: Ledger, path: string, stamp: string, body: unknown): void {
  const { database, attempt } = ledger.file;
  const reading = { path, stamp, body: JSON.stringify(body) };
  attempt(() =>
    database
      .prepare(
        `INSERT INTO readings (path, stamp, body, seal) VALUES (@path, @stamp, @body, @seal)
         ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp, body = excluded.body, seal = excluded.seal`,
      )
      .run({ ...reading, seal: readingSeal(ledger.file, reading) }),
  );
}

/** All cached results whose path starts with this prefix. */
export function cachedReads(ledger: Ledger, prefix: string): { path: string; body: unknown }[] {
  const { database, attempt } = ledger.file;
  const rows = attempt(() =>
    database
      .prepare('SELECT path, stamp, body, seal FROM readings WHERE substr(path, 1, ?) = ? ORDER BY path')
      .all(prefix.length, prefix),
  );
  if (!areReadings(rows)) throw unreadable(ledger);
  return rows
    .filter((row) => isReadingSealed(ledger.file, row))
    .map(({ path, body }) => ({ path, body: JSON.parse(body) }));
}

function unreadable(ledger: Ledger) {
  return brokenLedger(ledger.path, 'a cached read is unreadable');
}
