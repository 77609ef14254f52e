import { isListOf, isShape, isText } from '../../../domain/json/plain-shape.ts';
import type { Ledger } from '../ledger.ts';
import { brokenLedger } from '../ledger-file.ts';

const isReading = isShape({ stamp: isText, body: isText });
const areReadings = isListOf(isShape({ path: isText, body: isText }));

/** The cached result, if the stamp is unchanged. */
export function findCached(ledger: Ledger, path: string, stamp: string): unknown {
  const last = findLastCached(ledger, path);
  return last?.stamp === stamp ? last.body : undefined;
}

/** The cached result with its stamp. */
export function findLastCached(ledger: Ledger, path: string): { stamp: string; body: unknown } | undefined {
  const { database, attempt } = ledger.file;
  const row = attempt(() => database.prepare('SELECT stamp, body FROM readings WHERE path = ?').get(path));
  if (row === undefined) return undefined;
  if (!isReading(row)) throw unreadable(ledger);
  return { stamp: row.stamp, body: JSON.parse(row.body) };
}

export function cacheRead(ledger: Ledger, path: string, stamp: string, body: unknown): void {
  const { database, attempt } = ledger.file;
  attempt(() =>
    database
      .prepare(
        `INSERT INTO readings (path, stamp, body) VALUES (?, ?, ?)
         ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp, body = excluded.body`,
      )
      .run(path, stamp, JSON.stringify(body)),
  );
}

/** All cached results whose path starts with this prefix. */
export function cachedReads(ledger: Ledger, prefix: string): { path: string; body: unknown }[] {
  const { database, attempt } = ledger.file;
  const rows = attempt(() =>
    database
      .prepare('SELECT path, body FROM readings WHERE substr(path, 1, ?) = ? ORDER BY path')
      .all(prefix.length, prefix),
  );
  if (!areReadings(rows)) throw unreadable(ledger);
  return rows.map(({ path, body }) => ({ path, body: JSON.parse(body) }));
}

function unreadable(ledger: Ledger) {
  return brokenLedger(ledger.path, 'a cached read is unreadable');
}
