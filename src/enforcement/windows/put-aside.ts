import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, unlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import type { GitFolder } from '../../platform/git-folder.ts';
import { type Violation, violationSchema } from '../../store/ledger/kinds/violation-recorded.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { quarantineFolder } from './quarantine.ts';

/** A version of a file that was put back, and that a person may want after all. */
export interface PutAside {
  /** As it is shown, and as an acceptance names it. */
  path: string;
  absolute: string;
  /** When it was found. */
  at: string;
  violation: Violation;
  /** Undefined for one that was removed: then that is the version. */
  copy: string | undefined;
}

interface PutAsidePlace {
  ledger: Ledger;
  project: string;
  git: GitFolder;
  dataFolder: string;
}

/** The last version of a file that was put back; undefined if there is none. */
export function findPutAside(place: PutAsidePlace, absolute: string): PutAside | undefined {
  const names = shownAs(place.git, absolute);
  const entries = place.ledger.entries(place.project, { kind: 'violation_recorded' });
  for (const { at, body } of entries.reverse()) {
    const violation = violationSchema.parse(body);
    const { path, quarantined, found_hash } = violation;
    if (!names.includes(path) || !violation.restored || (quarantined === null && found_hash !== null))
      continue;
    const copy = quarantined === null ? undefined : join(quarantineFolder(place.dataFolder), quarantined);
    return { path, absolute, at, violation, copy };
  }
  return undefined;
}

/** Under which names a file may be on record. */
function shownAs({ root, commonDir }: GitFolder, absolute: string): string[] {
  const inside = (folder: string) => relative(folder, absolute).split(sep).join('/');
  return [inside(root), `.git/${inside(commonDir)}`, absolute];
}

/** Puts the version where it was found. Whoever calls it has a person's word. */
export function takeUp({ absolute, copy, violation: { found_hash }, path }: PutAside): void {
  const standing = lstatSync(absolute, { throwIfNoEntry: false });
  if (standing && !standing.isFile())
    throw refused(path, `what stands there now is no file`, 'Move it away, and run the command again.');
  if (copy === undefined) {
    if (standing) unlinkSync(absolute);
    return;
  }
  const content = readCopy(copy, path);
  if (createHash('sha256').update(content).digest('hex') !== found_hash)
    throw refused(
      path,
      `its copy ${copy} is not what was found`,
      'Look at the copy, and take over by hand what you want of it.',
    );
  writeFileAtomic(absolute, content, standing ? standing.mode & 0o777 : 0o644);
}

function readCopy(copy: string, path: string): Buffer {
  try {
    return readFileSync(copy);
  } catch {
    throw refused(
      path,
      `its copy ${copy} cannot be read`,
      'It may have been removed; change the file again by hand.',
    );
  }
}

function refused(path: string, why: string, hint: string): GuardKitError {
  return new GuardKitError({
    code: 'accept.cannot-restore',
    kind: 'refused',
    message: `${path} cannot be brought back: ${why}.`,
    hint,
  });
}
