import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';

const MAX_TEXT_BYTES = 2 * 1024 * 1024;
const MAX_LONG_BYTES = 64 * 1024 * 1024;
const MAX_DIGEST_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 100_000;
const MAX_DEPTH = 40;
const SKIPPED = new Set(['.git', 'node_modules', '.venv', '__pycache__']);

export type TreeFile =
  | { type: 'text'; path: string; text: string }
  /** Too large to read, only compared. */
  | { type: 'large'; path: string; digest: string }
  /** A link out of the tree or to nothing; never followed. */
  | { type: 'link'; path: string; target: string };

/** Reads an untrusted checkout: nothing outside it, only plain files, within limits. */
export class TreeReader {
  readonly #root: string;
  readonly #files = new Map<string, Promise<TreeFile | undefined>>();
  #listing: Promise<TreeListing> | undefined;

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(root: string): Promise<TreeReader> {
    return new TreeReader(await realpath(root));
  }

  /** The file at a path inside the tree; undefined if it does not exist or the path leads out. */
  read(path: string): Promise<TreeFile | undefined> {
    const inside = insidePath(path);
    if (inside === undefined || inside === '') return Promise.resolve(undefined);
    const known = this.#files.get(inside);
    if (known !== undefined) return known;
    const reading = this.#read(inside);
    this.#files.set(inside, reading);
    return reading;
  }

  async readText(path: string): Promise<string | undefined> {
    const file = await this.read(path);
    return file?.type === 'text' ? file.text : undefined;
  }

  /** The text of a file that may be large; undefined beyond that. */
  async readLongText(path: string): Promise<string | undefined> {
    const file = await this.#read(insidePath(path) ?? '', MAX_LONG_BYTES);
    return file?.type === 'text' ? file.text : undefined;
  }

  /** All files below the root, sorted; without `.git`, `node_modules` and similar folders. */
  list(): Promise<TreeListing> {
    this.#listing ??= this.#list();
    return this.#listing;
  }

  async isFolder(path: string): Promise<boolean> {
    const inside = insidePath(path);
    if (inside === undefined) return false;
    const real = await this.#resolve(inside);
    if (real === undefined) return false;
    return (await lstat(real)).isDirectory();
  }

  async #read(path: string, most = MAX_TEXT_BYTES): Promise<TreeFile | undefined> {
    const real = await this.#resolve(path);
    if (real === undefined) return this.#linkOutside(path);
    // A link that was planted meanwhile, or a pipe that nobody writes to, must not block it.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
      () => undefined,
    );
    if (file === undefined) return undefined;
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return undefined;
      if (stats.size <= most) return { type: 'text', path, text: (await file.readFile()).toString('utf8') };
      const hash = createHash('sha256').update(`${stats.size}\n`);
      for await (const chunk of file.createReadStream({ end: MAX_DIGEST_BYTES, autoClose: false }))
        hash.update(chunk as Buffer);
      return { type: 'large', path, digest: hash.digest('hex') };
    } finally {
      await file.close();
    }
  }

  async #resolve(path: string): Promise<string | undefined> {
    try {
      const real = await realpath(join(this.#root, path));
      return real === this.#root || real.startsWith(this.#root + sep) ? real : undefined;
    } catch {
      // Safe: a path that cannot be resolved does not exist for the runner either; dangling links are recognized
      // below.
      return undefined;
    }
  }

  async #linkOutside(path: string): Promise<TreeFile | undefined> {
    try {
      const parent = await this.#resolve(posix.dirname(path));
      if (parent === undefined) return undefined;
      return { type: 'link', path, target: await readlink(join(parent, posix.basename(path))) };
    } catch {
      // Safe: it is not a link, so nothing is at this path.
      return undefined;
    }
  }

  async #list(): Promise<TreeListing> {
    const files: string[] = [];
    const folders: string[] = [];
    let complete = true;
    let seen = 0;
    const pending: { folder: string; depth: number }[] = [{ folder: '', depth: 0 }];
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      const { folder, depth } = next;
      const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(() => []);
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const entry of entries) {
        seen += 1;
        if (seen > MAX_ENTRIES) return { files, folders, complete: false };
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
        else if (entry.isDirectory() && !SKIPPED.has(entry.name)) {
          folders.push(path);
          if (depth < MAX_DEPTH) pending.push({ folder: path, depth: depth + 1 });
          else complete = false;
        }
      }
    }
    return { files, folders, complete };
  }
}

export interface TreeListing {
  files: string[];
  folders: string[];
  /** False if there were more files than the limit. */
  complete: boolean;
}

/** A relative path without `.` and `..`; undefined if it is absolute or leads out. */
export function insidePath(path: string): string | undefined {
  if (path.includes('\0') || path.includes('\\') || posix.isAbsolute(path)) return undefined;
  const plain = posix.normalize(path === '' ? '.' : path).replace(/\/$/, '');
  if (plain === '..' || plain.startsWith('../')) return undefined;
  return plain === '.' ? '' : plain;
}
