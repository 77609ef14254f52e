import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { listing, readEntries } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';

/** Writes out a file of a commit; if the commit lacks it, the path does not exist. */
export async function withBaseFile<Result>(
  repository: Repository,
  commit: string,
  path: string,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-base-'));
  try {
    const [listed = '', blob = ''] = await repository.runEach(
      [listing(commit, [path]), ['cat-file', '--batch=%(objecttype)']],
      { input: `${commit}:${path}\n` },
    );
    const file = join(folder, path);
    if (readEntries(listed)[0]?.mode.startsWith('100')) {
      makeFolder(dirname(file));
      // Strips git's header line and the trailing line end.
      writeFileSync(file, blob.slice(blob.indexOf('\n') + 1, -1));
    }
    return await use(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
