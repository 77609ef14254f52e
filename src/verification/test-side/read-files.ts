import { readBlobs, type TreeEntry } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { TestFile } from '../test-files/match-tests.ts';

/** The text of some files of a tree. */
export async function readFiles(
  repository: Repository,
  entries: readonly TreeEntry[],
  paths: ReadonlySet<string>,
): Promise<TestFile[]> {
  const files = entries.filter(({ path, mode }) => paths.has(path) && mode !== '160000');
  const texts = await readBlobs(
    repository,
    files.map(({ object }) => object),
  );
  return files.flatMap(({ path, object }) => {
    const text = texts.get(object);
    return text === undefined ? [] : [{ path, text }];
  });
}
