import { chmodSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { listPath } from './list-file.ts';

const OWN = 0o700;

/**
 * Puts the list in its place. A folder that stands there must have been moved before. The disk is not waited for: the ledger
 * has been, and a list that a power cut leaves broken is written anew from it.
 */
export function writeListFile(checkout: string, content: string | Uint8Array): void {
  writeProgressFile(listPath(checkout), content, { lasting: false });
}

/** Writes what lies in `.claude/progress/`. Links, pipes and the like that stand there go. */
export function writeProgressFile(path: string, content: string | Uint8Array, { lasting = true } = {}): void {
  const folder = dirname(path);
  // A person may have this one elsewhere and a link to it here.
  clear(dirname(folder), (at) => statSync(at, { throwIfNoEntry: false })?.isDirectory() ?? false);
  clear(folder, (at) => lstatSync(at).isDirectory());
  clear(path, (at) => lstatSync(at).isFile());
  mkdirSync(folder, { recursive: true });
  const { mode } = lstatSync(folder);
  if ((mode & OWN) !== OWN) chmodSync(folder, (mode & 0o777) | OWN);
  writeFileAtomic(path, content, undefined, { lasting });
}

function clear(path: string, isWanted: (path: string) => boolean): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat && !isWanted(path)) rmSync(path, { force: true });
}
