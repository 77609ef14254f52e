import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isListOf, isNumber, isObject, isShape, isText } from '../../domain/json/plain-shape.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { type BytePath, toBytePath } from './byte-path.ts';
import type { FoundFiles } from './collect-facts.ts';
import type { ShellFolder } from './shell-folder.ts';
import type { StampedReads } from './stamped-reads.ts';
import { nestedClaudeFolders, splitGlobs, trackedByGlob, trackedFiles } from './tracked-files.ts';

/** How long a walk through a checkout counts: its folders are too many to be looked at each time. */
export const WALK_MS = 5 * 60 * 1000;

interface Known extends FoundFiles {
  /** Of git's index and of what was asked. */
  stamp: string;
  walkedAt: number;
}

const isFound = isShape({
  stamp: isText,
  walkedAt: isNumber,
  tracked: isListOf(isText),
  nested: isListOf(isText),
  byGlob: isListOf(isText),
});

/** Asks git for the tracked files of a checkout only when its index has changed, and keeps the answers. */
export class FileFinder {
  readonly #folder: ShellFolder;
  readonly #reads: StampedReads;
  readonly #patterns: string[];
  readonly #now: number;
  readonly #before: Record<string, unknown>;
  readonly #found: Record<string, Known> = {};

  constructor(folder: ShellFolder, reads: StampedReads, globs: readonly string[], now: number) {
    this.#folder = folder;
    this.#reads = reads;
    this.#patterns = splitGlobs(globs).patterns;
    this.#now = now;
    this.#before = readKnown(folder);
  }

  find(root: BytePath, gitDir: string, further: readonly BytePath[]): FoundFiles {
    const index = this.#reads.stamp(toBytePath(join(gitDir, 'index')));
    const stamp = JSON.stringify([index, gitDir, further, this.#patterns]);
    const before = this.#before[root];
    const known = isFound(before) ? before : undefined;
    const walked = known !== undefined && this.#now >= known.walkedAt && this.#now - known.walkedAt < WALK_MS;
    const files =
      known?.stamp === stamp
        ? known
        : { tracked: trackedFiles(gitDir, further), byGlob: trackedByGlob(gitDir, this.#patterns) };
    const nested = walked && known.stamp === stamp ? known.nested : nestedClaudeFolders(root, files.tracked);
    const found = { tracked: files.tracked, byGlob: files.byGlob, nested };
    this.#found[root] = { ...found, stamp, walkedAt: walked ? known.walkedAt : this.#now };
    return found;
  }

  keep(): void {
    writeFileAtomic(this.#folder.found, JSON.stringify(this.#found), 0o600, { lasting: false });
  }
}

function readKnown({ found }: ShellFolder): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(found, 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    // Safe: everything is looked for again.
    return {};
  }
}
