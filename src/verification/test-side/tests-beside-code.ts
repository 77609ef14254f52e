import type { Repository } from '../../platform/git/repository.ts';
import type { TreeComparison } from '../compare-trees.ts';
import { changedExamples, skippedExamples } from '../test-files/in-source/changed-examples.ts';
import {
  hidesBlocksOf,
  mayHoldBlocks,
  mayHoldInSourceTests,
  withBlocksOf,
  withTestsOf,
} from '../test-files/in-source/with-tests-of.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import type { TestLoss } from '../test-files/test-loss.ts';
import { isTestSide } from './find-test-side.ts';
import { readFiles } from './read-files.ts';

export interface TestsBesideCode {
  /** The base's version of changed files with the candidate's tests. */
  onBase: readonly TestFile[];
  /** The candidate's version of changed files with the base's tests; without examples, whose texts are compared. */
  onCandidate: readonly TestFile[];
  /** Changed files that may have test blocks in either version. */
  withBlocks: readonly string[];
  /** Files whose test blocks of the base cannot take the place of the candidate's. */
  unclear: readonly string[];
  /** Examples in documentation that expect something else, or are gone. */
  changedExamples: readonly TestLoss[];
}

/** Finds tests in changed files of the product: test modules, examples in documentation, and blocks for vitest. */
export async function testsBesideCode(
  repository: Repository,
  { changes, entries, baseEntries, renames }: Omit<TreeComparison, 'diff'>,
  baseTree: string,
  command: string,
): Promise<TestsBesideCode> {
  const paths = new Set(
    changes.filter(({ path }) => mayHoldInSourceTests(path) && !isTestSide(path)).map(({ path }) => path),
  );
  const moved = [...renames].filter(([, to]) => paths.has(to));
  const wanted = new Set([...paths, ...moved.map(([from]) => from)]);
  const before = new Map(
    (await readFiles(repository, baseEntries, wanted)).map(({ path, text }) => [path, text]),
  );
  const movedFrom = new Map(moved.map(([from, to]) => [to, from]));
  const textBefore = (path: string) => before.get(path) ?? before.get(movedFrom.get(path) ?? '') ?? '';
  const links = new Set(entries.filter(({ mode }) => mode === '120000').map(({ path }) => path));
  const found = await readFiles(repository, entries, paths);
  const after = found.filter(({ path }) => !links.has(path));
  const hasExamples = [...before.values(), ...after.map(({ text }) => text)].some((text) =>
    text.includes('>>> '),
  );
  const doctests = hasExamples && (await runsDoctests(repository, baseTree, command));
  const olds = [...before].map(([path, text]) => ({ path, text }));
  const versionsOf = (path: string, text: string) => ({ code: text, tests: textBefore(path) });
  return {
    onBase: after.flatMap(({ path, text }) => {
      // Moved Rust code is not part of the base's crate.
      const code = path.endsWith('.rs') ? (before.get(path) ?? '') : textBefore(path);
      const versions = { code, tests: text };
      return asFile(path, withTestsOf(path, versions, { doctests }));
    }),
    onCandidate: after.flatMap(({ path, text }) => asFile(path, withBlocksOf(path, versionsOf(path, text)))),
    withBlocks: [...before, ...after.map(({ path, text }) => [path, text] as const)]
      .filter(([path, text]) => mayHoldBlocks(path, text))
      .map(([path]) => path),
    // A link has no code of its own.
    unclear: found
      .filter(({ path, text }) => hidesBlocksOf(path, versionsOf(path, links.has(path) ? '{' : text)))
      .map(({ path }) => path),
    changedExamples: [
      ...skippedExamples(olds, after, { doctests }),
      ...changedExamples(olds, after, { doctests }),
    ],
  };
}

function asFile(path: string, text: string | undefined): TestFile[] {
  return text === undefined ? [] : [{ path, text }];
}

/** Whether the command or a file of the base other than a document mentions doctest. */
async function runsDoctests(repository: Repository, baseTree: string, command: string): Promise<boolean> {
  if (command.includes('doctest')) return true;
  const documents = ['rst', 'md', 'txt'].map((ending) => `:(exclude)*.${ending}`);
  const { exitCode } = await repository.attempt([
    'grep',
    '-qI',
    '-e',
    'doctest',
    baseTree,
    '--',
    ...documents,
  ]);
  return exitCode === 0;
}
