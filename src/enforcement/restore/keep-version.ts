import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, readlinkSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { movePath } from '../../platform/files/file-trees.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { contentHash, FOLDER_HASH, hashFile, linkHash } from './file-state.ts';
import { copyTree } from './write-version.ts';

export interface QuarantineContext {
  dataFolder: string;
  /** Empty for files that belong to no project. */
  project: string;
}

export interface VersionToKeep {
  absolute: string;
  /** As shown to people. */
  shown: string;
  mode: number | null;
  /** The content, if the caller has read it (default: copied from the path). */
  content?: Uint8Array | undefined;
  /** The target, if it is a link. */
  link?: Uint8Array | undefined;
  folder?: boolean | undefined;
}

export interface KeptVersion {
  /** Relative to the quarantine. */
  quarantined: string;
  hash: string;
  mode: number | null;
}

export function quarantineFolder(dataFolder: string): string {
  return join(dataFolder, 'quarantine');
}

/**
 * Keeps a version of a file before it is replaced: bytes, link target, or a whole folder with its modes. The caller records
 * the file's own mode, since the copy is private. Throws if nothing could be kept.
 */
export function keepVersion(context: QuarantineContext, version: VersionToKeep): KeptVersion {
  const quarantined = join(context.project || 'machine', `${moment()}-${plainName(version.shown)}`);
  const copy = join(quarantineFolder(context.dataFolder), quarantined);
  makeFolder(dirname(copy), 0o700);
  return { quarantined, hash: keepAt(copy, version), mode: version.mode };
}

function keepAt(copy: string, { absolute, content, link, folder }: VersionToKeep): string {
  if (content !== undefined) {
    writeFileAtomic(copy, content, 0o600);
    return contentHash(content);
  }
  const stat = lstatSync(absolute);
  const target = link ?? (stat.isSymbolicLink() ? readlinkSync(absolute, 'buffer') : undefined);
  if (target !== undefined) {
    // As a file, so that no reader of the quarantine follows it.
    writeFileAtomic(copy, target, 0o600);
    return linkHash(target);
  }
  copyOrMove(absolute, copy);
  if (folder === true || stat.isDirectory()) return FOLDER_HASH;
  chmodSync(copy, 0o600);
  return stat.isFile() ? hashFile(copy) : 'other';
}

/** A file that cannot be read or copied can still be moved. */
function copyOrMove(absolute: string, copy: string): void {
  try {
    copyTree(absolute, copy);
    if (lstatSync(copy, { throwIfNoEntry: false })) return;
  } catch {
    // Safe: moving keeps it too, and if that fails it throws.
    rmSync(copy, { recursive: true, force: true });
  }
  movePath(absolute, copy);
}

/** Sorts by time; unique. */
function moment(): string {
  return `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}`;
}

function plainName(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9._-]+/g, '_').slice(-80);
}
