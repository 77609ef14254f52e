import { entryHash } from './entry-hash.ts';
import { CHAIN_START, type ChainHead, type EntryRow, entryRowSchema } from './ledger-entry.ts';

export type ChainVerdict = { ok: true; entries: number } | { ok: false; number: number; reason: string };

/** Walks a project's entries in order and reports the first one that was altered. */
export function verifyChain(
  rows: Iterable<unknown>,
  head: ChainHead | undefined,
  ledgerId: string,
): ChainVerdict {
  let beforeLast = CHAIN_START;
  let last = CHAIN_START;
  for (const raw of rows) {
    const row = entryRowSchema.safeParse(raw);
    if (!row.success) return broken(last.number + 1, 'it cannot be read');
    const fault = entryFault(row.data, last, beforeLast, ledgerId);
    if (fault) return fault;
    beforeLast = last;
    last = { number: row.data.number, hash: row.data.hash };
  }
  return headFault(head, last) ?? { ok: true, entries: last.number };
}

function entryFault(
  row: EntryRow,
  last: ChainHead,
  beforeLast: ChainHead,
  ledgerId: string,
): ChainVerdict | undefined {
  const number = last.number + 1;
  if (row.number < number) return broken(row.number, 'it does not belong to the chain');
  if (row.number > number) return broken(number, `it is missing; the next one is ${row.number}`);
  const linked = row.prev_hash === last.hash;
  if (entryHash(ledgerId, row) === row.hash) {
    if (linked) return undefined;
    // This entry is intact, so the previous one was replaced.
    return number === 1
      ? broken(1, 'it was written as a later entry')
      : broken(last.number, `it is not the entry that entry ${number} was chained to`);
  }
  if (wasPushedBack(row, last, beforeLast, ledgerId)) {
    return broken(last.number, `it was inserted; the entry it displaced is now ${number}`);
  }
  return broken(number, 'its content or its hash is not what was written');
}

/** Whether this was the previous entry, renumbered to make room for the inserted one. */
function wasPushedBack(row: EntryRow, last: ChainHead, beforeLast: ChainHead, ledgerId: string): boolean {
  if (last.number === 0 || row.prev_hash !== beforeLast.hash || row.hash === last.hash) return false;
  return entryHash(ledgerId, { ...row, number: last.number }) === row.hash;
}

function headFault(head: ChainHead | undefined, last: ChainHead): ChainVerdict | undefined {
  if (!head) return last.number === 0 ? undefined : broken(last.number, 'its head record is missing');
  if (head.number > last.number) return broken(last.number + 1, `it is missing; ${head.number} were written`);
  if (head.number < last.number)
    return broken(head.number + 1, `it was added; only ${head.number} were written`);
  return head.hash === last.hash
    ? undefined
    : broken(last.number, 'it is not the entry that was written last');
}

function broken(number: number, reason: string): ChainVerdict {
  return { ok: false, number, reason };
}
