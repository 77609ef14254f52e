import { posix } from 'node:path';
import { isTestFile } from '../../domain/is-test-file.ts';
import { readBlobs, type TreeEntry } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { readTestCases } from '../test-files/read-test-cases.ts';
import { findMentions } from './find-mentions.ts';
import { actsByPlace, isTestSide } from './find-test-side.ts';

/** The longest chain of helpers that use helpers. */
const MOST_STEPS = 5;

/** Users of changed test files, helpers and fixtures. */
export interface Dependents {
  /**
   * Test files by changed file. Undefined if the file is used in a way that cannot be traced: it may affect every test.
   */
  tests: ReadonlyMap<string, ReadonlySet<string> | undefined>;
  /** Test files known to use a changed file; there may be more. */
  seen: ReadonlySet<string>;
  /** Files between a changed file and the tests. */
  helpers: ReadonlySet<string>;
}

/** Finds the test files of a tree that use changed files, directly or through other helpers. */
export async function findDependents(
  repository: Repository,
  tree: string,
  entries: readonly TreeEntry[],
  files: readonly string[],
): Promise<Dependents> {
  const users = await findUsers(repository, tree, entries, files);
  const reached = new Map(files.map((file) => [file, users && reachable(file, users)]));
  const all = new Set([...reached.values()].flatMap((one) => (one ? [...one] : [])));
  const withTests = await filesWithTests(repository, entries, all);
  const tests = new Map<string, ReadonlySet<string> | undefined>();
  for (const [file, found] of reached) {
    // A helper without a known user, such as a set-up file, may affect everything.
    const isKnown = (one: string) =>
      withTests.has(one) || (users?.get(one)?.size ?? 0) > 0 || isInTestedPackage(one, withTests);
    const isSeen = found && !isUsedUnnamed(file) && [...found].every(isKnown);
    tests.set(file, isSeen ? new Set([...found].filter((one) => withTests.has(one))) : undefined);
  }
  return { tests, seen: withTests, helpers: new Set([...all].filter((one) => !withTests.has(one))) };
}

async function findUsers(
  repository: Repository,
  tree: string,
  entries: readonly TreeEntry[],
  files: readonly string[],
): Promise<Map<string, ReadonlySet<string>> | undefined> {
  const users = new Map<string, ReadonlySet<string>>();
  let open = [...files];
  for (let step = 0; step < MOST_STEPS && open.length > 0; step += 1) {
    const mentions = await findMentions(repository, tree, open);
    if (mentions === undefined) return undefined;
    for (const file of open) {
      const named = [...(mentions.get(file) ?? []), ...snapshotOwner(file), ...packageOf(file, entries)];
      users.set(file, new Set(named.filter((user) => isTestSide(user) && user !== file)));
    }
    open = [...new Set([...users.values()].flatMap((one) => [...one]))].filter(
      (file) => !users.has(file) && !isTestFile(file),
    );
  }
  return users;
}

/** `__snapshots__/a.test.js.snap` belongs to `a.test.js`. */
function snapshotOwner(file: string): string[] {
  const match = /^(.*?)(?:__snapshots__\/)?([^/]+)\.snap$/.exec(file);
  return match === null ? [] : [`${match[1] ?? ''}${match[2] ?? ''}`];
}

/** The tests of a Go package share everything in it. */
function packageOf(file: string, entries: readonly TreeEntry[]): string[] {
  if (!file.endsWith('_test.go')) return [];
  const folder = posix.dirname(file);
  return entries
    .map(({ path }) => path)
    .filter((path) => path.endsWith('_test.go') && posix.dirname(path) === folder);
}

/** A file of a Go package affects only its tests. */
function isInTestedPackage(file: string, withTests: ReadonlySet<string>): boolean {
  if (!file.endsWith('_test.go')) return false;
  return [...withTests].some((one) => one.endsWith('_test.go') && posix.dirname(one) === posix.dirname(file));
}

/** Whether tests use a file that they do not name: as a fixture of pytest, or as a part of a Go package. */
function isUsedUnnamed(file: string): boolean {
  return actsByPlace(file) || (file.endsWith('.go') && !file.endsWith('_test.go'));
}

/** Examples run like tests. */
const GO_EXAMPLE = /^func[ \t]+(?:Example|Fuzz)/m;

function reachable(file: string, users: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set([file]);
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const user of users.get(next) ?? [])
      if (!found.has(user)) {
        found.add(user);
        open.push(user);
      }
  return found;
}

async function filesWithTests(
  repository: Repository,
  entries: readonly TreeEntry[],
  files: ReadonlySet<string>,
): Promise<Set<string>> {
  const objects = entries.filter(({ path, mode }) => files.has(path) && mode.startsWith('100'));
  const texts = await readBlobs(
    repository,
    objects.map(({ object }) => object),
  );
  return new Set(
    objects
      .filter(({ path, object }) => {
        const text = texts.get(object);
        if (text === undefined) return false;
        return (
          readTestCases(path, text).cases.length > 0 || (path.endsWith('_test.go') && GO_EXAMPLE.test(text))
        );
      })
      .map(({ path }) => path),
  );
}
