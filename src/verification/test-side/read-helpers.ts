import { posix } from 'node:path';
import type { TreeEntry } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import { isTestSide } from './find-test-side.ts';
import { readFiles } from './read-files.ts';
import { hasWord } from './removed-imports.ts';

const MOST = 300;

/** The helpers and fixtures of a tree that these test files may use, judging by their names and places. */
export function readHelpers(
  repository: Repository,
  entries: readonly TreeEntry[],
  files: readonly TestFile[],
): Promise<TestFile[]> {
  const own = new Set(files.map(({ path }) => path));
  const wanted = entries
    .filter(({ path, mode }) => mode.startsWith('100') && !own.has(path) && isTestSide(path))
    .map(({ path }) => path)
    .filter((path) => files.some((file) => mayUse(file, path)))
    .slice(0, MOST);
  return readFiles(repository, entries, new Set([...own, ...wanted]));
}

function mayUse({ path, text }: TestFile, helper: string): boolean {
  const kind = /\.(?:[cm]?[jt]sx?|py|go|rs)$/;
  if (!kind.test(helper) || language(path) !== language(helper)) return false;
  const folder = posix.dirname(helper);
  if (helper.endsWith('.go')) return folder === posix.dirname(path);
  if (posix.basename(helper) === 'conftest.py') return folder === '.' || path.startsWith(`${folder}/`);
  const stem = posix.basename(helper).replace(kind, '');
  return hasWord(text, /^(?:index|__init__|mod)$/.test(stem) ? posix.basename(folder) : stem);
}

function language(path: string): string {
  return posix.extname(path).replace(/^\.[cm]?[jt]sx?$/, '.js');
}
