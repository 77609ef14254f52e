import { dataVersion, perDatabase } from '../../sqlite/statements.ts';
import type { Ledger } from '../ledger.ts';
import { ENTRY_COLUMNS, toEntryRow } from './entry-hash.ts';
import { entryRowSchema, type LedgerEntry, readEntry } from './ledger-entry.ts';

const PAGE = 200;

export interface RecentOptions {
  /** Only entries after this number. */
  afterNumber?: number | undefined;
  /** Only entries at or after this time (ISO 8601). */
  since?: string | undefined;
}

/** Entries of these kinds, newest first, read lazily. Skips unreadable entries, and records that do not count. */
export function* recentEntries(
  ledger: Ledger,
  project: string,
  kinds: readonly string[],
  { afterNumber = 0, since }: RecentOptions = {},
): Generator<LedgerEntry, void, undefined> {
  const { database, attempt } = ledger.file;
  const page = database.prepare(
    `SELECT ${ENTRY_COLUMNS} FROM entries WHERE project = @project AND number > @after AND number < @before
     AND at >= @since AND kind IN (SELECT value FROM json_each(@kinds)) ORDER BY number DESC LIMIT ${PAGE}`,
  );
  const asked = {
    project,
    after: afterNumber,
    since: since === undefined ? 0 : Date.parse(since),
    kinds: JSON.stringify(kinds),
  };
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = attempt(() => page.all({ ...asked, before }));
    for (const raw of rows) {
      const row = entryRowSchema.parse(raw);
      before = row.number;
      if (!ledger.file.signatures.counts(row)) continue;
      const entry = readEntry(row, ledger.kinds.get(row.kind));
      if (entry) yield entry;
    }
    if (rows.length < PAGE) return;
  }
}

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
