import { posix } from 'node:path';
import type { SourcePlace } from '../../domain/entities/test-report.ts';
import { listTree, overlayTree, type TreeEntry, writeBlob } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { TestRun } from '../facts.ts';
import { isInTestBlock } from '../test-files/in-source/test-blocks.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import { isTestSide } from '../test-side/find-test-side.ts';
import { readFiles } from '../test-side/read-files.ts';
import { type RemovedName, withoutBrokenCode } from '../test-side/without-broken-code.ts';

/** The users of a removed helper fail to compile in the next round. */
const MOST_ROUNDS = 6;
const MOST_PLACES = 2000;
/** In the rounds after these, declarations are removed instead of adapted. */
const MOST_ADAPTED_ROUNDS = 4;

export interface Surroundings {
  repository: Repository;
  baseEntries: readonly TreeEntry[];
  /** The files that the tree has from the base. */
  restored: ReadonlySet<string>;
  /** The change's test files that may contain the new version of a declaration of this file. */
  nowOf?: (file: string) => readonly TestFile[];
  run(tree: string): Promise<TestRun | string>;
}

export interface RemainingRun {
  run: TestRun;
  /** The tree that it ran on. */
  tree: string;
  removed: readonly RemovedName[];
}

/**
 * Runs the tests of a tree. If some do not compile, it runs the others: in Go and Rust, one test that does not compile
 * would keep all tests of its package or crate from running. With `nowOf`, those that do not compile first take over parts of
 * their new version. A string is the reason why no run was possible.
 */
export async function runWithoutBroken(
  tree: string,
  { repository, baseEntries, restored, nowOf, run }: Surroundings,
): Promise<RemainingRun | string> {
  const removed: RemovedName[] = [];
  let current = tree;
  for (let round = 0; ; round += 1) {
    const ran = await run(current);
    if (typeof ran === 'string') return ran;
    const result = { run: ran, tree: current, removed };
    const places = ran.faults.flatMap((fault) => fault.places ?? []).slice(0, MOST_PLACES);
    if (places.length === 0 || round === MOST_ROUNDS || ran.evidence.timed_out) return result;
    const entries = (await listTree(repository, current)).filter(({ mode }) => mode.startsWith('100'));
    const files = await concernedFiles(repository, entries, places);
    const bases = new Set(baseEntries.map(({ path }) => path));
    const isOfTests = (file: TestFile, [first, last]: readonly [number, number]) =>
      restored.has(file.path) ||
      (isTestSide(file.path) && bases.has(file.path)) ||
      (file.path.endsWith('.rs') &&
        isInTestBlock(file.text, 'rust', first) &&
        isInTestBlock(file.text, 'rust', last));
    const known = places.map((place) => located(place, files));
    const options = nowOf !== undefined && round < MOST_ADAPTED_ROUNDS ? { isOfTests, nowOf } : { isOfTests };
    const remaining = withoutBrokenCode(files, known, options);
    if (remaining === undefined) return result;
    removed.push(...remaining.removed);
    current = await withFiles(repository, current, entries, remaining.files);
  }
}

/** The files with these places, and all tests of their Go packages. */
function concernedFiles(
  repository: Repository,
  entries: readonly TreeEntry[],
  places: readonly SourcePlace[],
): Promise<TestFile[]> {
  const names = new Set(places.map(({ file }) => posix.basename(file)));
  const folders = new Set(places.map(({ file }) => posix.dirname(posix.normalize(file))));
  const wanted = entries
    .map(({ path }) => path)
    .filter(
      (path) =>
        (path.endsWith('.rs') && names.has(posix.basename(path))) ||
        (path.endsWith('_test.go') && folders.has(posix.dirname(path))),
    );
  return readFiles(repository, entries, new Set(wanted));
}

/** Cargo gives paths relative to its workspace, which may be a folder of the repository. */
function located(place: SourcePlace, files: readonly TestFile[]): SourcePlace {
  const file = posix.normalize(place.file);
  const exact = files.some(({ path }) => path === file);
  const ending = exact ? [] : files.filter(({ path }) => path.endsWith(`/${file}`));
  return { ...place, file: ending.length === 1 ? (ending[0]?.path ?? file) : file };
}

async function withFiles(
  repository: Repository,
  tree: string,
  entries: readonly TreeEntry[],
  files: readonly TestFile[],
): Promise<string> {
  const modes = new Map(entries.map(({ path, mode }) => [path, mode]));
  const changed: TreeEntry[] = [];
  for (const { path, text } of files)
    changed.push({ path, mode: modes.get(path) ?? '100644', object: await writeBlob(repository, text) });
  return overlayTree(
    repository,
    tree,
    changed,
    changed.map(({ path }) => path),
  );
}
