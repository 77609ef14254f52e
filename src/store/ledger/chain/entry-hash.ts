import { canonicalJson, sha256 } from '../../../domain/json/json.ts';
import { isShape, isText, isWhole } from '../../../domain/json/plain-shape.ts';
import type { EntryRow } from './ledger-entry.ts';

// Every hook needs these; they are apart from the schemas, which take long to load.

export const ENTRY_COLUMNS = 'project, number, kind, at, body, prev_hash, hash';

/** The hash of an entry's content, of the previous entry and of its ledger. */
export function entryHash(ledgerId: string, entry: Omit<EntryRow, 'hash'>): string {
  const { project, number, kind, at, body, prev_hash } = entry;
  return sha256(canonicalJson({ ledger: ledgerId, project, number, kind, at, body, prev_hash }));
}

const isEntryRow = isShape({
  project: isText,
  number: isWhole,
  kind: isText,
  at: isWhole,
  body: isText,
  prev_hash: isText,
  hash: isText,
});

export function toEntryRow(raw: unknown): EntryRow {
  if (!isEntryRow(raw)) throw new TypeError('An entry of the ledger is damaged.');
  return raw;
}
