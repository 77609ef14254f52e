import { dataVersion, perDatabase } from '../../sqlite/statements.ts';
import type { Ledger } from '../ledger.ts';
import { ENTRY_COLUMNS, toEntryRow } from './entry-hash.ts';

/** Found entries, as long as no other connection has written: entries stay. */
const found = perDatabase(() => new Map<string, unknown>());

/** Whether a project has an entry of a kind that counts. */
export function hasEntry({ file }: Ledger, project: string, kind: string): boolean {
  const { database, attempt, signatures } = file;
  const version = attempt(() => dataVersion(database));
  const key = `${kind} ${project}`;
  if (found(database).get(key) === version) return true;
  // Newest first by the index of kinds; mostly the first one counts.
  const next = database.prepare(
    `SELECT ${ENTRY_COLUMNS} FROM entries WHERE project = @project AND kind = @kind AND number < @before
     ORDER BY number DESC LIMIT 1`,
  );
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const raw = attempt(() => next.get({ project, kind, before }));
    if (raw === undefined) return false;
    const row = toEntryRow(raw);
    if (signatures.counts(row)) break;
    before = row.number;
  }
  // This transaction may still be rolled back.
  if (!database.inTransaction) found(database).set(key, version);
  return true;
}
