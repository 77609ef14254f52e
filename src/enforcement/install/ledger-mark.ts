import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import type { LedgerFile } from '../../store/ledger/ledger-file.ts';

/** Beside the launcher, where it is watched: which ledger hooks were wired with. */
export function ledgerMarkPath(dataFolder: string): string {
  return join(dataFolder, 'bin', 'ledger-id');
}

/** Undefined where hooks were never wired with one. */
export function markedLedger(dataFolder: string): string | undefined {
  try {
    return readFileSync(ledgerMarkPath(dataFolder), 'utf8').trim();
  } catch {
    // Safe: a ledger that nobody has marked is judged by itself.
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

/** A ledger that was made anew knows nothing of what an agent may not change, and would let everything pass. */
export function requireMarked(dataFolder: string, { id, path }: LedgerFile): void {
  const marked = markedLedger(dataFolder);
  if (marked === undefined || marked === id) return;
  throw new GuardKitError({
    code: 'ledger.other',
    kind: 'refused',
    message: `The ledger ${path} is another one than the hooks were wired with: what GuardKit knew is not in it.`,
    hint: 'Restore the old one from a backup, or go on with this one: run `guardkit doctor --fix` in a terminal of your own.',
  });
}
