import { statSync } from 'node:fs';
import type { LedgerFile } from './ledger-file.ts';
import { openKnownLedgerFile } from './open-ledger-file.ts';

/** Keeps the ledger open between events, as long as the same file is at its path. */
export class WarmLedgerFile {
  #kept: { file: LedgerFile; identity: string } | undefined;

  open(path: string): LedgerFile {
    const identity = identityOf(path);
    const kept = this.#kept;
    if (kept && identity !== undefined && kept.file.path === path && kept.identity === identity)
      return kept.file;
    this.close();
    const file = openKnownLedgerFile(path);
    // A file that was replaced in the meantime is opened again by the next event.
    if (identity !== undefined) this.#kept = { file, identity };
    return file;
  }

  /** Whether the file stays open after an event. */
  keeps(file: LedgerFile): boolean {
    return this.#kept?.file === file;
  }

  close(): void {
    this.#kept?.file.database.close();
    this.#kept = undefined;
  }
}

/** Undefined for a missing or empty file. */
function identityOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && stat.size > 0n ? `${stat.dev} ${stat.ino}` : undefined;
}
