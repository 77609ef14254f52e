import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { type BytePath, bytesOf } from './byte-path.ts';

export type EntryKind = 'missing' | 'folder' | 'file' | 'link' | 'other';

/** Whether a result depends only on an entry's kind, or also on its content. */
type Depth = 'kind' | 'content';

export type Stamps = Record<string, string>;

/** Reads files and keeps a stamp of each: as long as all stamps are the same, so is the result. */
export class StampedReads {
  readonly stamps: Stamps = {};

  kindOf(path: BytePath): EntryKind {
    return this.#look(path, 'kind');
  }

  /** Real path and kind; undefined if the path does not exist, or is a dangling link. */
  resolve(path: BytePath): { path: BytePath; kind: EntryKind } | undefined {
    const kind = this.kindOf(path);
    if (kind === 'missing') return undefined;
    try {
      const real = realpathSync.native(bytesOf(path), { encoding: 'buffer' }).toString('latin1');
      return { path: real, kind: real === path && kind !== 'link' ? kind : this.kindOf(real) };
    } catch {
      // Safe: nothing can be mounted on a dangling link.
      return undefined;
    }
  }

  /** The entries of a folder with their kinds; none if it cannot be read. */
  entries(folder: BytePath): { name: BytePath; kind: EntryKind }[] {
    if (this.#look(folder, 'content') !== 'folder') return [];
    try {
      return readdirSync(bytesOf(folder), { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
        name: entry.name.toString('latin1'),
        kind: entry.isDirectory()
          ? 'folder'
          : entry.isFile()
            ? 'file'
            : entry.isSymbolicLink()
              ? 'link'
              : 'other',
      }));
    } catch {
      // Safe: the agent has the same rights and cannot read it either.
      return [];
    }
  }

  /** The text of a file; undefined without one. */
  text(path: BytePath): string | undefined {
    this.#look(path, 'content');
    try {
      return readFileSync(bytesOf(path), 'utf8');
    } catch {
      // Safe: git and ssh cannot read it either.
      return undefined;
    }
  }

  /** The stamp of a file that the caller reads itself. */
  stamp(path: BytePath): string {
    this.#look(path, 'content');
    return this.stamps[`c${path}`] ?? '';
  }

  #look(path: BytePath, depth: Depth): EntryKind {
    const key = (depth === 'kind' ? 'k' : 'c') + path;
    const stamp = this.stamps[key] ?? stampOf(path, depth);
    this.stamps[key] = stamp;
    return KINDS[stamp.charAt(0)] ?? 'missing';
  }
}

/** Whether all stamps are still the same. */
export function areStampsCurrent(stamps: Stamps): boolean {
  for (const key in stamps) {
    const depth = key.charAt(0) === 'k' ? 'kind' : 'content';
    if (stampOf(key.slice(1), depth) !== stamps[key]) return false;
  }
  return true;
}

const KINDS: Record<string, EntryKind> = {
  '-': 'missing',
  d: 'folder',
  f: 'file',
  l: 'link',
  o: 'other',
};

function stampOf(path: BytePath, depth: Depth): string {
  const stat = look(path);
  if (!stat) return '-';
  if (stat.isSymbolicLink()) return `l${linkTarget(path)}`;
  const kind = stat.isDirectory() ? 'd' : stat.isFile() ? 'f' : 'o';
  if (depth === 'kind') return kind;
  return `${kind}${stat.ino}:${stat.size}:${stat.mtimeNs}`;
}

function look(path: BytePath): BigIntStats | undefined {
  try {
    return lstatSync(bytesOf(path), { bigint: true, throwIfNoEntry: false });
  } catch {
    // Safe: an agent cannot reach a path below a file, or in an inaccessible folder, either.
    return undefined;
  }
}

function linkTarget(path: BytePath): string {
  try {
    return readlinkSync(bytesOf(path), { encoding: 'buffer' }).toString('latin1');
  } catch {
    // Safe: it was replaced meanwhile, and the next stamp differs.
    return '';
  }
}
