import { type BytePath, isWithin } from './byte-path.ts';
import type { ShellProfile } from './shell-folder.ts';

/** One protected folder or file of a checkout. Paths are real: links are resolved. */
export interface ProtectedPath {
  path: BytePath;
  /** Folders and files in it that agents may write. */
  writable: readonly BytePath[];
}

export interface CheckoutFacts {
  root: BytePath;
  /** Read-only for ordinary commands. */
  protected: readonly ProtectedPath[];
  /** Untracked files among them, and targets of links: read-only for git commands too. */
  untracked: readonly BytePath[];
}

/** Everything that determines the mounts. */
export interface ShellFacts {
  checkouts: readonly CheckoutFacts[];
  /** Read-only in both profiles: outside the work trees, or never written by git. */
  locked: readonly BytePath[];
  /** Writable, but cannot be renamed or removed. */
  pinned: readonly BytePath[];
  /** One path shown in place of another. */
  covered: readonly Cover[];
}

export interface Cover {
  source: BytePath;
  target: BytePath;
  writable: boolean;
}

export type Mount = Cover;

export type PlannedMounts = Record<ShellProfile, Mount[]>;

/** The mounts of both profiles, parents before children. */
export function planMounts(facts: ShellFacts): PlannedMounts {
  const { checkouts, locked, pinned, covered } = facts;
  const ordinary = new Map<BytePath, boolean>();
  const git = new Map<BytePath, boolean>();
  for (const path of pinned) for (const mounts of [ordinary, git]) mounts.set(path, true);
  for (const checkout of checkouts) {
    for (const { path, writable } of checkout.protected) {
      for (const open of writable) if (!ordinary.has(open)) ordinary.set(open, true);
      ordinary.set(path, false);
    }
    for (const path of checkout.untracked) {
      ordinary.set(path, false);
      for (const parent of parentsBelow(path, checkout.root)) if (!git.has(parent)) git.set(parent, true);
      git.set(path, false);
    }
  }
  for (const path of locked) for (const mounts of [ordinary, git]) mounts.set(path, false);
  const covers = [...covered];
  return {
    ordinary: [...withoutNeedless(ordinary), ...covers],
    git: [...withoutNeedless(git), ...covers],
  };
}

/** The folders between a checkout and a path in it; without a mount, they could be renamed together with the path. */
function parentsBelow(path: BytePath, root: BytePath): BytePath[] {
  const parents: BytePath[] = [];
  if (!isWithin(path, root)) return parents;
  for (let end = path.lastIndexOf('/'); end > root.length; end = path.lastIndexOf('/', end - 1))
    parents.push(path.slice(0, end));
  return parents;
}

/** A path inside a read-only folder needs no mount of its own. */
function withoutNeedless(mounts: ReadonlyMap<BytePath, boolean>): Mount[] {
  const sorted = [...mounts].sort(([one], [other]) => compare(one, other));
  const kept: Mount[] = [];
  const above: Mount[] = [];
  for (const [path, writable] of sorted) {
    while (above.length > 0 && !isWithin(path, above.at(-1)?.target ?? '')) above.pop();
    const outer = above.at(-1);
    if (outer && !outer.writable && !writable) continue;
    const mount = { source: path, target: path, writable };
    kept.push(mount);
    above.push(mount);
  }
  return kept;
}

/** Sorts the entries of a folder directly after the folder. */
function compare(one: BytePath, other: BytePath): number {
  const [a, b] = [one.replaceAll('/', '\0'), other.replaceAll('/', '\0')];
  return a < b ? -1 : a > b ? 1 : 0;
}
