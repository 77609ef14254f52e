import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import type { FileRestored } from '../../store/ledger/kinds/protection/file-restored.ts';
import type { Ledger, NewEntry } from '../../store/ledger/ledger.ts';
import {
  type FileState,
  FOLDER_HASH,
  hashFile,
  isLinkHash,
  linkHash,
  readFileState,
  readRegular,
} from './file-state.ts';
import { type KeptVersion, keepVersion, quarantineFolder } from './keep-version.ts';
import type { Restorable } from './list-restorable.ts';
import { type VersionToWrite, writeVersion } from './write-version.ts';

export interface RestoreContext {
  ledger: Ledger;
  project: string;
  dataFolder: string;
  /** The top folder of the checkout. */
  checkout: string;
}

export interface BroughtBack {
  /** False if the file already had this content and mode. */
  changed: boolean;
  mode: number | null;
  /** Where the replaced version is kept, relative to the quarantine; null if there was none. */
  kept: string | null;
}

const DEFAULT_MODE = 0o644;

/** The path of the copy; undefined for a version in which the file did not exist. */
export function copyOf(dataFolder: string, { quarantined }: Restorable): string | undefined {
  return quarantined === null ? undefined : join(quarantineFolder(dataFolder), quarantined);
}

/** Restores a kept version with its mode, and keeps the version it replaces. Needs a person's consent. */
export function bringBack(context: RestoreContext, version: Restorable, by: string): BroughtBack {
  const { ledger, project, dataFolder } = context;
  const { absolute, path } = version;
  const now = readFileState(absolute);
  const wanted = readVersion(dataFolder, version, now);
  const mode = 'mode' in wanted ? wanted.mode : null;
  const isSame = now.kind !== 'folder' && now.hash === version.hash && now.mode === mode;
  if (isSame) return { changed: false, mode, kept: null };
  const kept =
    now.kind === 'absent'
      ? undefined
      : keepVersion({ dataFolder, project }, { absolute, shown: path, mode: now.mode });
  // Before writing: a version without an entry could not be found again.
  ledger.appendMany(project, [accepted(version, by), restored(context, version, { kept, mode, by })]);
  writeVersion(absolute, wanted);
  return { changed: true, mode, kept: kept?.quarantined ?? null };
}

function accepted({ path, hash }: Restorable, by: string): NewEntry {
  return { kind: 'acceptance_recorded', body: { path, digest: hash, reason: 'restored', by } };
}

function restored(
  { checkout }: RestoreContext,
  version: Restorable,
  { kept, mode, by }: { kept: KeptVersion | undefined; mode: number | null; by: string },
): NewEntry {
  const { path, absolute, hash } = version;
  const body: FileRestored = {
    path,
    absolute,
    checkout,
    session: '',
    agent: by,
    agent_type: null,
    action: null,
    reason: 'person',
    what: `${by} restored an earlier version`,
    found_hash: kept?.hash ?? null,
    found_mode: kept?.mode ?? null,
    quarantined: kept?.quarantined ?? null,
    restored_hash: hash,
    restored_mode: mode,
    during: 'guardkit restore',
  };
  return { kind: 'file_restored', body };
}

/** Earlier GuardKit versions did not record the mode; then the current one is kept. */
function readVersion(dataFolder: string, version: Restorable, now: FileState): VersionToWrite {
  const { hash, path, quarantined } = version;
  const copy = copyOf(dataFolder, version);
  if (hash === null || copy === undefined) return { kind: 'absent' };
  const stat = lstatSync(copy, { throwIfNoEntry: false });
  if (!stat) throw cannotRestore(path, `the copy ${quarantined} is missing`);
  if (hash === FOLDER_HASH && stat.isDirectory())
    return { kind: 'folder', copy, mode: version.mode ?? stat.mode & 0o7777 };
  if (isLinkHash(hash)) {
    const target = readRegular(copy);
    if (linkHash(target) !== hash) throw altered(path, copy);
    return { kind: 'link', target };
  }
  if (!stat.isFile()) throw altered(path, copy);
  // A value such as `huge:70000000` is not a hash of the content.
  if (/^[0-9a-f]{64}$/.test(hash) && hashFile(copy) !== hash) throw altered(path, copy);
  const mode = version.mode ?? (now.kind === 'file' ? now.mode : DEFAULT_MODE);
  return { kind: 'copied-file', copy, mode };
}

function altered(path: string, copy: string): GuardKitError {
  return cannotRestore(path, `the copy ${copy} does not match its recorded hash`);
}

function cannotRestore(path: string, why: string): GuardKitError {
  return new GuardKitError({
    code: 'restore.copy-unusable',
    kind: 'refused',
    message: `Cannot restore ${path}: ${why}.`,
    hint: 'Choose another version; `guardkit restore` lists them.',
  });
}
