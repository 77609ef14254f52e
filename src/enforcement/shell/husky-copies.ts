import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { namesIn } from '../../platform/files/names-in.ts';
import { type BytePath, bytesOf, isWithin, toBytePath } from './byte-path.ts';
import type { Cover } from './plan-mounts.ts';
import type { StampedReads } from './stamped-reads.ts';

/** Husky's own folders have about 20 files. */
const MAX_FILES = 50;

/**
 * Whenever packages are installed, husky writes its hooks for git to the folder `_` next to a person's hooks, and the
 * installation fails if it cannot. So commands see copies of these folders: what they write there runs only in the sandbox.
 */
export function huskyCopies(
  reads: StampedReads,
  folder: string,
  checkouts: readonly { root: BytePath; hooks: readonly BytePath[]; tracked: readonly BytePath[] }[],
): Cover[] {
  const found = checkouts.flatMap(({ root, hooks, tracked }) =>
    hooks
      .map((path) => `${path}/_`)
      .filter((path) => !tracked.some((file) => isWithin(file, path)))
      .map((path) => `${root}/${path}`),
  );
  return [...new Set(found)].flatMap((target, index) => {
    const entries = reads.resolve(target)?.path === target ? reads.entries(target) : [];
    const isHuskys = entries.some(({ name }) => name === '.gitignore') && entries.length <= MAX_FILES;
    if (!isHuskys || entries.some(({ kind }) => kind !== 'file')) return [];
    const copy = join(folder, String(index));
    makeFolder(copy, 0o700);
    // The folder itself stays: running commands may have it mounted.
    const names = entries.map(({ name }) => bytesOf(name).toString('utf8'));
    for (const name of namesIn(copy))
      if (!names.includes(name)) rmSync(join(copy, name), { recursive: true, force: true });
    for (const [at, { name }] of entries.entries())
      writeFileAtomic(join(copy, names[at] ?? ''), reads.text(`${target}/${name}`) ?? '', 0o755, {
        lasting: false,
      });
    return [{ source: toBytePath(copy), target, writable: true }];
  });
}
