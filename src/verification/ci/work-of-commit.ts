import { buildWork } from '../../config/work/build-work.ts';
import { isFeatureFile, isTaskFile, type Work } from '../../config/work/work.ts';
import { DEFINITION_FOLDERS } from '../../domain/protection/project-paths.ts';
import { filesOf, readBlobs } from '../../platform/git/git-versions.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { unreadableBase } from '../definition/export-definitions.ts';

const MAX_FILES = 5000;
const MAX_BYTES = 1024 * 1024;

/** The texts of a commit's definitions by path; links and files over 1 MB are left out. */
export function definitionTexts(
  repository: Repository,
  commit: string,
  wanted: (path: string) => boolean,
): Map<string, string> {
  const { gitDir } = repository.folder;
  const files = filesOf(gitDir, commit, DEFINITION_FOLDERS);
  if (!files) throw unreadableBase(commit);
  const read = [...files].filter(([path]) => wanted(path)).slice(0, MAX_FILES);
  const blobs = readBlobs(
    gitDir,
    read.map(([, blob]) => blob),
  );
  return new Map(
    read.flatMap(([path, blob]): [string, string][] => {
      const content = blobs.get(blob);
      if (!content) throw unreadableBase(commit);
      return content.length > MAX_BYTES ? [] : [[path, content.toString('utf8')]];
    }),
  );
}

/** The tasks and features that a commit defines. */
export function workOfCommit(
  repository: Repository,
  commit: string,
  taskTypes: readonly string[] | undefined,
): Work {
  const texts = definitionTexts(repository, commit, (path) => isTaskFile(path) || isFeatureFile(path));
  const files = [...texts].map(([path, text]) => ({ path, text }));
  return buildWork(files, taskTypes ? { taskTypes } : {});
}
