import type { Ledger } from '../ledger.ts';
import { ENTRY_COLUMNS } from './entry-hash.ts';
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
