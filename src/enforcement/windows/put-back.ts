import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { WatchedRow } from '../../store/ledger/watch-tables.ts';
import { FOLDER_HASH, NOTHING_HASH } from './found.ts';

/** Where a row's path is, and what is known around it. */
export interface PutBackPlace {
  folder: string;
  absolute: string;
  /** Of the folders that were known in the area, by absolute path. */
  folderModes: ReadonlyMap<string, number>;
}

/** `kept` is false where there is nothing to put back, now or later. */
export type PutBackResult = { ok: true } | { ok: false; why: string; kept: boolean };

/** Makes a path be again what it was. Nothing on the way is followed, and nobody sees half of it. */
export function putBack(row: WatchedRow, content: Buffer | undefined, place: PutBackPlace): PutBackResult {
  try {
    if (row.hash === NOTHING_HASH) {
      remove(place.absolute);
      removeEmptyFolders(place);
      return { ok: true };
    }
    if (row.hash === FOLDER_HASH) {
      makeFolder(place.absolute, place);
      return { ok: true };
    }
    if (content === undefined) return { ok: false, why: 'it was larger than what is kept', kept: false };
    makeFolder(dirname(place.absolute), place);
    const standing = lstatSync(place.absolute, { throwIfNoEntry: false });
    if (standing?.isDirectory()) remove(place.absolute);
    if (row.hash.startsWith('link:')) writeLink(place.absolute, content);
    else writeContent(place.absolute, content, row.mode);
    return { ok: true };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error), kept: true };
  }
}

/** What a link leads to stays as it is. */
function remove(absolute: string): void {
  const stat = lstatSync(absolute, { throwIfNoEntry: false });
  if (stat?.isDirectory()) rmSync(absolute, { recursive: true, force: true });
  else if (stat) unlinkSync(absolute);
}

/** Those that came with what was removed. */
function removeEmptyFolders({ folder, absolute, folderModes }: PutBackPlace): void {
  for (
    let one = dirname(absolute);
    one.startsWith(`${folder}/`) && !folderModes.has(one);
    one = dirname(one)
  ) {
    try {
      rmdirSync(one);
    } catch {
      // Safe: something else is in it, or it is gone.
      return;
    }
  }
}

/** Every folder from the area's own on that is none becomes one. */
function makeFolder(absolute: string, { folder, folderModes }: PutBackPlace): void {
  const missing: string[] = [];
  // Git's own folder can have been taken away as a whole.
  if (!lstatSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { recursive: true });
  for (let one = absolute; one.startsWith(`${folder}/`); one = dirname(one)) missing.unshift(one);
  for (const one of missing) {
    const stat = lstatSync(one, { throwIfNoEntry: false });
    // A link that a person laid is known as one, not as a folder.
    if (stat?.isDirectory() || (stat?.isSymbolicLink() && !folderModes.has(one))) continue;
    if (stat) unlinkSync(one);
    mkdirSync(one, { mode: folderModes.get(one) ?? 0o755 });
  }
}

function writeLink(absolute: string, target: Buffer): void {
  const temporary = temporaryName(absolute);
  symlinkSync(target, temporary);
  rename(temporary, absolute);
}

function writeContent(absolute: string, content: Buffer, mode: number): void {
  const temporary = temporaryName(absolute);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const descriptor = openSync(temporary, flags, 0o600);
  try {
    for (let offset = 0; offset < content.length; ) offset += writeSync(descriptor, content, offset);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  rename(temporary, absolute);
}

function rename(temporary: string, absolute: string): void {
  try {
    renameSync(temporary, absolute);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function temporaryName(absolute: string): string {
  return join(dirname(absolute), `.guardkit.${randomUUID()}.tmp`);
}
