import { canonicalJson, sha256 } from '../../../domain/json/json.ts';
import type { EntryRow } from './ledger-entry.ts';

// Every hook needs these; they are apart from the schemas, which take long to load.

export const ENTRY_COLUMNS = 'project, number, kind, at, body, prev_hash, hash';

/** The hash of an entry's content, of the previous entry and of its ledger. */
export function entryHash(ledgerId: string, entry: Omit<EntryRow, 'hash'>): string {
  const { project, number, kind, at, body, prev_hash } = entry;
  return sha256(canonicalJson({ ledger: ledgerId, project, number, kind, at, body, prev_hash }));
}
