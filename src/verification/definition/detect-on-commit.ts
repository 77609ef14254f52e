import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectView } from '../../config/detection/project-view.ts';
import { type DetectedVerify, detectIn, isDetectionFile } from '../../config/project/detect-verify.ts';
import { exportFiles, listTree } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';

/** Detects commands from a commit's files; writes out only the files that detection reads. */
export async function detectOnCommit(
  repository: Repository,
  commit: string,
): Promise<DetectedVerify | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'guardkit-detect-'));
  try {
    const files = (await listTree(repository, commit))
      .filter(({ mode }) => mode.startsWith('100'))
      .map(({ path }) => path);
    await exportFiles(repository, commit, files.filter(isDetectionFile), root);
    return detectIn(projectView({ root, files, path: process.env.PATH }));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
