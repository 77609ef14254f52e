import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { keptText } from '../../platform/files/file-stamp.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import type { LedgerFile } from '../../store/ledger/ledger-file.ts';

/** The id of the ledger that the hooks were installed for. In the launcher's folder, which is watched. */
export function ledgerMarkPath(dataFolder: string): string {
  return join(dataFolder, 'bin', 'ledger-id');
}

/** Undefined if no ledger was marked. */
export function markedLedger(dataFolder: string): string | undefined {
  try {
    return keptText(ledgerMarkPath(dataFolder))?.trim();
  } catch {
    // Safe: without a mark any ledger is accepted.
    return undefined;
  }
}

export function markLedger(dataFolder: string, id: string): void {
  if (markedLedger(dataFolder) === id) return;
  makeFolder(join(dataFolder, 'bin'), 0o700);
  writeFileAtomic(ledgerMarkPath(dataFolder), `${id}\n`, 0o600);
}

export function unmarkLedger(dataFolder: string): void {
  rmSync(ledgerMarkPath(dataFolder), { force: true });
}

/** A new ledger has no record of protected files, and would let every change pass. */
export function requireMarked(dataFolder: string, { id, path }: LedgerFile): void {
  const marked = markedLedger(dataFolder);
  if (marked === undefined || marked === id) return;
  throw new GuardKitError({
    code: 'ledger.other',
    kind: 'refused',
    message: `The hooks were installed for another ledger; ${path} has none of its records.`,
    hint: 'Restore the old ledger from a backup, or run `guardkit doctor --fix` in your own terminal to continue with this one.',
  });
}
