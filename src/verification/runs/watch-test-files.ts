import { join } from 'node:path';
import { fileStamp } from '../../platform/files/file-stamp.ts';
import { listTree } from '../../platform/git/git-tree.ts';
import { isSource } from '../coverage/source-language.ts';
import { isTestSide } from '../test-side/find-test-side.ts';
import { readFiles } from '../test-side/read-files.ts';
import type { RunContext } from './run-context.ts';

const MOST = 50;
const RUST_TEST = /#\[(?:cfg\()?(?:\w+::)?test\b/;

/**
 * Call it before a run on a placed tree, and the result after the run. It finds source files with tests that something has
 * written, even if it restored their text: product code that runs before the tests, such as a build script or an imported
 * module, could replace them.
 */
export async function watchTestFiles(
  { repository, workspace: { folder } }: RunContext,
  tree: string,
): Promise<() => Promise<string[]>> {
  const entries = (await listTree(repository, tree)).filter(
    ({ path, mode }) =>
      mode.startsWith('100') && isSource(path) && (isTestSide(path) || path.endsWith('.rs')),
  );
  const before = new Map(entries.map(({ path }) => [path, fileStamp(join(folder, path))]));
  return async () => {
    const touched = entries.filter(({ path }) => fileStamp(join(folder, path)) !== before.get(path));
    const others = touched.filter(({ path }) => !isTestSide(path));
    const texts = await readFiles(repository, others, new Set(others.map(({ path }) => path)));
    const withTests = new Set(texts.filter(({ text }) => RUST_TEST.test(text)).map(({ path }) => path));
    return touched
      .map(({ path }) => path)
      .filter((path) => isTestSide(path) || withTests.has(path))
      .slice(0, MOST);
  };
}
