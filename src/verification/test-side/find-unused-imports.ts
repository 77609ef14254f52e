import { type TestResult, testKey } from '../../domain/entities/test-report.ts';
import type { PathChange, TreeEntry } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { TestRun } from '../facts.ts';
import { readFileScopes } from '../test-files/file-scopes.ts';
import { sourceVersions } from './base-tests-tree.ts';
import { usesRemovedName } from './compare-base-tests.ts';
import type { TestSide } from './find-test-side.ts';
import { readFiles } from './read-files.ts';
import { placesOf, removedImports, type Versions } from './removed-imports.ts';

interface Request {
  repository: Repository;
  entries: readonly TreeEntry[];
  baseEntries: readonly TreeEntry[];
  changes: readonly PathChange[];
  renames: ReadonlyMap<string, string>;
  side: TestSide;
  /** The base with the change's tests. */
  onBase: TestRun;
  candidate: TestRun;
}

/**
 * Keys of tests whose file does not load on the base only because it imports what the change adds, and that use none of it.
 * That the file does not load says nothing about them. In runners whose test files share a process, such a file also stops
 * the others, and that says nothing about their tests either.
 */
export async function findUnusedImports(request: Request): Promise<Set<string>> {
  const { repository, entries, side, onBase, candidate } = request;
  const changed = new Set([...side.added, ...side.modified]);
  const broken = new Set(onBase.faults.flatMap(({ file }) => file ?? []));
  const silent = filesWithoutResults(onBase, candidate);
  const wanted = new Set([...changed].filter((path) => broken.has(path) || silent.has(path)));
  if (wanted.size === 0) return new Set();
  const files = await readFiles(repository, entries, wanted);
  const versions = await sourceVersions({ ...request, renames: new Map() });
  const backwards = (path: string): Versions | undefined => {
    const found = versions.get(path);
    return found && { before: found.after, after: found.before };
  };
  const newNames = new Map<string, ReadonlySet<string>>();
  const stopped = new Set<string>();
  for (const { path, text } of files) {
    // A helper may be what does not load.
    if (modulesOf(path, text).some((module) => placesOf(path, module).some((place) => changed.has(place))))
      continue;
    const names = removedImports(path, text, backwards);
    if (names.size > 0) newNames.set(path, names);
    else if (!broken.has(path)) stopped.add(path);
  }
  if (newNames.size === 0) return new Set();
  const uses = (test: TestResult) =>
    usesRemovedName(test, { files, removedNames: newNames, withoutHelpers: () => false });
  const isUnproven = (test: TestResult) =>
    test.file !== undefined && (stopped.has(test.file) || (newNames.has(test.file) && !uses(test)));
  return new Set(candidate.results.filter(isUnproven).map(testKey));
}

/** Such as those that did not load in a runner that stops at the first error without naming its file. */
function filesWithoutResults(onBase: TestRun, candidate: TestRun): Set<string> {
  const loaded = new Set(onBase.results.map(({ file }) => file));
  return new Set(
    candidate.results.flatMap(({ file }) => (file !== undefined && !loaded.has(file) ? [file] : [])),
  );
}

/** Those that a test file imports, for their names or their effect, or loads. */
function modulesOf(path: string, text: string): string[] {
  const imports = readFileScopes(path, text)?.scopes.flatMap((scope) => scope.imports ?? []) ?? [];
  const quoted = [...text.matchAll(/(['"])(\.[^'"\n]{1,300})\1/g)].map(([, , module = '']) => module);
  return [...imports.map(({ module }) => module), ...quoted];
}
