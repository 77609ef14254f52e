import { RecordKey } from '../../../platform/signing/record-key.ts';
import { ENTRY_COLUMNS, entryHash } from '../chain/entry-hash.ts';
import type { EntryRow } from '../chain/ledger-entry.ts';
import type { LedgerFile } from '../ledger-file.ts';
import { hasMark } from './has-mark.ts';
import { type Reading, readingSeal, SEALED_TABLES, sealTable } from './seals.ts';
import { SIGNED_KINDS } from './signed-kinds.ts';

/**
 * Signs the records from before this machine signed any, once: at the first start with this version. Later, a record without
 * a signature is a foreign one, and only a person can adopt it.
 */
export function adoptEarlierRecords(file: LedgerFile): void {
  const { dataFolder } = file.signatures;
  if (hasMark(dataFolder)) return;
  try {
    RecordKey.make(dataFolder);
  } catch (error) {
    // Safe: a sandboxed command sees the ledger and the folder of keys read-only, so it decides nothing.
    if (!isReadOnly(error)) throw error;
    file.signatures.isHidden = true;
    return;
  }
  file.database
    .transaction(() => {
      if (hasMark(dataFolder)) return;
      adoptRecords(file);
      sealTables(file);
      sealReadings(file);
      file.signatures.writeMark({ ledger: file.id, at: new Date().toISOString(), heads: headsOf(file) });
    })
    .immediate();
}

/** The records without a valid signature, in order; they have no effect. */
export function* unsignedRecords(file: LedgerFile, project?: string): Generator<EntryRow, void, undefined> {
  const kinds = JSON.stringify([...SIGNED_KINDS]);
  const rows = file.database
    .prepare(
      `SELECT ${ENTRY_COLUMNS} FROM entries WHERE kind IN (SELECT value FROM json_each(?))
       AND (? IS NULL OR project = ?) ORDER BY project, number`,
    )
    .all(kinds, project ?? null, project ?? null) as EntryRow[];
  for (const row of rows) if (!file.signatures.isSigned(row)) yield row;
}

/** Signs every record without a valid signature; returns how many. In a transaction. */
export function adoptRecords(file: LedgerFile, project?: string): number {
  let count = 0;
  for (const row of unsignedRecords(file, project)) {
    // An altered entry stays one: `ledger verify` names it.
    if (entryHash(file.id, row) !== row.hash) continue;
    file.signatures.sign(row);
    count += 1;
  }
  return count;
}

function sealTables(file: LedgerFile): void {
  for (const table of SEALED_TABLES)
    for (const project of file.database.prepare(`SELECT DISTINCT project FROM ${table}`).pluck().all())
      sealTable(file, table, String(project));
}

function sealReadings(file: LedgerFile): void {
  const put = file.database.prepare('UPDATE readings SET seal = ? WHERE path = ?');
  const rows = file.database.prepare('SELECT path, stamp, body FROM readings').all() as Reading[];
  for (const row of rows) put.run(readingSeal(file, row), row.path);
}

function headsOf({ database }: LedgerFile): Record<string, { number: number; hash: string }> {
  const rows = database.prepare('SELECT project, number, hash FROM heads').all() as EntryRow[];
  return Object.fromEntries(rows.map(({ project, number, hash }) => [project, { number, hash }]));
}

function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EROFS';
}
