import { closeSync, lstatSync, mkdirSync, openSync, rmdirSync, unlinkSync } from 'node:fs';
import { GuardKitError } from '../../guardkit-error.ts';
import { foldersAbove, isInside } from '../files/path-inside.ts';
import { nearestExisting, resolvePath } from './resolve-path.ts';
import { isReserved } from './sandbox-arguments.ts';
import type { Access, SandboxEntry, SandboxPolicy } from './sandbox-policy.ts';

export interface ResolvedPolicy {
  entries: SandboxEntry[];
  /** Mount points to create before the run and remove after it. */
  placeholders: { path: string; folder: boolean }[];
  /**
   * Protected paths that pass through a symbolic link which the command can replace. The file is protected, its name is not:
   * nothing can be mounted on a link.
   */
  replaceable: string[];
}

/** Resolves the paths of a policy. */
export function resolvePolicy(policy: SandboxPolicy): ResolvedPolicy {
  const writable = policy.writable.map(resolveWritable);
  const canWrite = (path: string) => writable.some((entry) => isInside(path, entry.path));
  const result: ResolvedPolicy = { entries: writable, placeholders: [], replaceable: [] };
  const restrict = (given: string, access: Access) => {
    const { path, stats, links, endless } = resolveAllowed(given);
    if (links.some(canWrite)) result.replaceable.push(given);
    if (endless) return;
    if (stats) {
      result.entries.push({ path, access, folder: stats.isDirectory() });
      return;
    }
    // Nothing can be created in a read-only folder.
    if (!canWrite(path)) return;
    const nearest = nearestExisting(path);
    if (!nearest.stats.isDirectory()) {
      // A file is in the way of a needed folder; protect it from being replaced.
      result.entries.push({ path: nearest.path, access: 'read-only', folder: false });
      return;
    }
    const folder = given.endsWith('/');
    result.placeholders.push({ path, folder });
    result.entries.push({ path, access, folder });
  };
  for (const path of policy.readOnly) restrict(path, 'read-only');
  for (const path of policy.hidden) restrict(path, 'hidden');
  return result;
}

function resolveWritable(given: string): SandboxEntry {
  const { path, stats } = resolveAllowed(given);
  if (stats) return { path, access: 'writable', folder: stats.isDirectory() };
  throw new GuardKitError({
    code: 'sandbox.no-folder',
    kind: 'outside',
    message: `The writable path "${given}" of the sandbox does not exist.`,
    hint: 'Create it, or check whether it was moved or removed.',
  });
}

function resolveAllowed(given: string) {
  const resolved = resolvePath(given);
  if (!isReserved(resolved.path)) return resolved;
  throw new GuardKitError({
    code: 'sandbox.reserved-path',
    kind: 'input',
    message: `The sandbox cannot change access to "${given}": ${resolved.path} has the same access in every sandbox.`,
    hint: 'Specify a folder of the project, not the root, /dev, /proc or /sys.',
  });
}

/**
 * Creates empty files and folders as mount points, with their parents. The returned function removes those still empty.
 */
export function holdPlaceholders(placeholders: readonly { path: string; folder: boolean }[]): () => void {
  const made: { path: string; folder: boolean }[] = [];
  const makeFolder = (path: string) => {
    if (lstatSync(path, { throwIfNoEntry: false })) return;
    mkdirSync(path);
    made.push({ path, folder: true });
  };
  const release = () => {
    for (const { path, folder } of made.splice(0).reverse()) removeIfEmpty(path, folder);
  };
  try {
    for (const { path, folder } of placeholders) {
      for (const above of foldersAbove(path)) makeFolder(above);
      if (folder) makeFolder(path);
      else if (!lstatSync(path, { throwIfNoEntry: false })) {
        closeSync(openSync(path, 'wx', 0o644));
        made.push({ path, folder: false });
      }
    }
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

function removeIfEmpty(path: string, folder: boolean): void {
  try {
    if (folder) rmdirSync(path);
    else if (lstatSync(path).size === 0) unlinkSync(path);
  } catch {
    // Safe: it has content now, or was removed with its folder.
  }
}
