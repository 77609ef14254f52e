import { lstatSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DoctorCheck } from './doctor-check.ts';

/**
 * Whether GuardKit can write where it keeps what it knows; told only where it cannot, since what it writes there is told
 * elsewhere. The folder need not be there yet: the first use makes it, so that the one above is tried.
 */
export function examineDataFolder(folder: string): DoctorCheck[] {
  const existing = nearestThere(folder);
  try {
    // A real try: rights alone do not tell of a volume that is full or only read.
    rmdirSync(mkdtempSync(join(existing, '.guardkit-doctor-')));
    return [];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    const what = existing === folder ? 'nothing can be written there' : `nothing can be made in ${existing}`;
    return [
      {
        id: 'data',
        outcome: 'fail',
        found: `GuardKit keeps what it knows in ${folder}, and ${what}${code}`,
        hint: 'Give yourself the right to write there, or name another folder: set GUARDKIT_HOME for you and your agents.',
      },
    ];
  }
}

/** The folder, or the first above it that is there. */
function nearestThere(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (isThere(at) || at === dirname(at)) return at;
  }
}

/** Also a link that leads nowhere: it is in the way. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Safe: what is in the way, or cannot be looked at, is found by the try above it.
    return false;
  }
}
