import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { removeTree } from '../../platform/files/remove-tree.ts';
import { sealFolders } from './dependency-folders.ts';

/**
 * Go's build cache of one workspace, outside of its home folder, which is made anew. Only runs on the base write to it for
 * good; all others get a layer over it, since a test could put any compiled code into the cache.
 */
export class KeptBuilds {
  readonly folder: string;
  readonly #sealPath: string;
  #checked = false;

  constructor(workspace: string) {
    this.folder = `${workspace}.builds`;
    this.#sealPath = `${workspace}.builds.seal`;
  }

  /** As the last run on the base left it, or empty. */
  open(): void {
    if (!this.#checked && !this.#isIntact()) removeTree(this.folder);
    this.#checked = true;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** Before a run that writes to it: if GuardKit is ended meanwhile, nothing of it is used again. */
  breakSeal(): void {
    rmSync(this.#sealPath, { force: true });
  }

  /**
   * After such a run. Compiled packages are kept, test results are not: Go takes a result as known though a program or a
   * file that it does not observe has changed.
   */
  seal(): void {
    if (readdirSync(this.folder).length === 0) return;
    const expired = join(this.folder, 'testexpire.txt');
    rmSync(expired, { recursive: true, force: true });
    writeFileSync(expired, `${BigInt(Date.now() + 1) * 1_000_000n}\n`, { flag: 'wx' });
    writeFileAtomic(this.#sealPath, `${this.#hash()}\n`, 0o600);
  }

  drop(): void {
    this.breakSeal();
    removeTree(this.folder);
  }

  #isIntact(): boolean {
    if (!existsSync(this.folder)) return true;
    try {
      return readFileSync(this.#sealPath, 'utf8').trim() === this.#hash();
    } catch {
      // Safe: without a seal everything is compiled again.
      return false;
    }
  }

  #hash(): string {
    return sealFolders(this.folder, ['.'], 'include');
  }
}

/** Go does not notice that a header in another folder has changed, so compiled code with headers is not kept. */
export function hasHeaders(paths: readonly string[]): boolean {
  return paths.some((path) => /\.(?:h|hh|hpp|hxx|inc)$/i.test(path));
}
