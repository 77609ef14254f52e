import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { type BytePath, bytesOf } from './byte-path.ts';

export type EntryKind = 'missing' | 'folder' | 'file' | 'link' | 'other';

/** How much of an entry an answer depends on: its kind, or also its content. */
type Depth = 'kind' | 'content';

export type Stamps = Record<string, string>;

/** Looks at files, and keeps a stamp of everything that was looked at: as long as all are the same, so is the answer. */
export class StampedReads {
  readonly stamps: Stamps = {};

  kindOf(path: BytePath): EntryKind {
    return this.#look(path, 'kind');
  }

  /** The real path of something that exists; undefined if it does not, or a link leads nowhere. */
  resolve(path: BytePath): { path: BytePath; kind: EntryKind } | undefined {
    const kind = this.kindOf(path);
    if (kind === 'missing') return undefined;
    try {
      const real = realpathSync.native(bytesOf(path), { encoding: 'buffer' }).toString('latin1');
      return { path: real, kind: real === path && kind !== 'link' ? kind : this.kindOf(real) };
    } catch {
      // Safe: nothing can be mounted on a link that leads nowhere.
      return undefined;
    }
  }

  /** The entries of a folder with their kinds; none where it cannot be read. */
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

  /** The text of a file; undefined where there is none. */
  text(path: BytePath): string | undefined {
    this.#look(path, 'content');
    try {
      return readFileSync(bytesOf(path), 'utf8');
    } catch {
      // Safe: git and ssh cannot read it either.
      return undefined;
    }
  }

  /** The stamp of a file whose content somebody else reads. */
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

/** Whether everything is as it was when the stamps were taken. */
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
    // Safe: a path below a file, or in a folder that cannot be entered, is not there for an agent either.
    return undefined;
  }
}

function linkTarget(path: BytePath): string {
  try {
    return readlinkSync(bytesOf(path), { encoding: 'buffer' }).toString('latin1');
  } catch {
    // Safe: it was replaced meanwhile, and the next look finds another stamp.
    return '';
  }
}
