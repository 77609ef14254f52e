import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportFiles, listTree } from '../../platform/git-tree.ts';
import type { Repository } from '../../platform/repository.ts';

/** Lays a file out as a commit has it; where it has none, the path leads nowhere. */
export async function withBaseFile<Result>(
  repository: Repository,
  commit: string,
  path: string,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-base-'));
  try {
    const [entry] = await listTree(repository, commit, [path]);
    if (entry?.mode.startsWith('100')) await exportFiles(repository, commit, [path], folder);
    return await use(join(folder, path));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
