import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { PathChange } from '../../platform/git/git-tree.ts';
import type { HarnessChange } from './compare-harness.ts';

/**
 * Compiled Python in the change that would run instead of the source. Python compares its own bytecode with the
 * source's time, which nobody can know in advance; bytecode with a hash of the source, or without a source, may contain
 * anything.
 */
export function plantedBytecode(root: string, changes: readonly PathChange[]): HarnessChange[] {
  return changes.flatMap(({ path, change }): HarnessChange[] => {
    if (change === 'deleted' || !path.endsWith('.pyc')) return [];
    const cached = /(?:^|\/)__pycache__\/[^/]+$/.test(path);
    if (cached && !isHashBased(join(root, path))) return [];
    const words = `${path}: the change adds compiled Python that runs instead of its source`;
    return [{ type: 'added', path, part: 'compiled Python', before: null, after: null, words }];
  });
}

/** By the flags in its header, after the bytecode version. */
function isHashBased(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const header = Buffer.alloc(8);
      return readSync(file, header, 0, 8, 0) === 8 && (header.readUInt32LE(4) & 1) === 1;
    } finally {
      closeSync(file);
    }
  } catch {
    // Python might be able to read a file that we cannot.
    return true;
  }
}
