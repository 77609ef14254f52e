import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { removeTree } from '../../platform/files/file-trees.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { sealFolders } from './dependency-folders.ts';

/**
 * Go's build cache of one workspace, outside its home folder, which is recreated. Only runs on the base write to it
 * permanently; all others get a layer over it, since a test could plant compiled code in the cache.
 */
export class GoBuildCache {
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
    makeFolder(this.folder, 0o700);
  }

  /** Call before a run that writes to it: if GuardKit is killed meanwhile, none of it is used again. */
  breakSeal(): void {
    rmSync(this.#sealPath, { force: true });
  }

  /**
   * Call after such a run. Keeps compiled packages but not test results: Go reuses a result although a program or file
   * that it does not track has changed.
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

/** Go does not notice a changed header in another folder, so code compiled with headers is not kept. */
export function hasHeaders(paths: readonly string[]): boolean {
  return paths.some((path) => /\.(?:h|hh|hpp|hxx|inc)$/i.test(path));
}
