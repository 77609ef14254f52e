import { posix } from 'node:path';
import { isJs, isShellTest, isTestFile } from '../../domain/is-test-file.ts';
import { type PathChange, readBlobs, type TreeEntry } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { conventionOf, packageRoots } from '../coverage/source-conventions.ts';
import { isSource } from '../coverage/source-language.ts';
import { isCargoManifest, listedTargets } from '../harness/cargo-manifest.ts';
import { onlyMovedFiles } from '../packages/moved-packages.ts';
import { readTestCases } from '../test-files/read-test-cases.ts';
import { findMentions } from './find-mentions.ts';
import { importedByProduct } from './imported-by-product.ts';
import { loadedTests, publishedFiles } from './loaded-tests.ts';
import { internalTestCode, modulesForTests } from './modules-for-tests.ts';
import { inPackagesForTests } from './packages-for-tests.ts';
import { readFiles } from './read-files.ts';

export interface TestSide {
  added: readonly string[];
  modified: readonly string[];
  deleted: readonly string[];
  /** Changed code that only tests use: a helper, or product code that checks its arguments or is named like a helper. */
  doubtful: readonly PathChange[];
}

const DATA = /\.(?:json5?|ya?ml|toml|txt|csv|tsv|xml|html?|svg|out|diff|patch|sql|ndjson|jsonl|bin|log)$/i;
const CODE = /\.(?:[cm]?[jt]sx?|py)$/;
/** Files of the project itself, which tests may read too. */
const PROJECT_FILES =
  /(?:^|\/)(?:package(?:-lock)?\.json|tsconfig[\w.-]*\.json|pyproject\.toml|Cargo\.toml|[\w.-]*\.config\.[\w.]+|\.[^/]*|requirements[\w.-]*\.txt|pnpm-[\w-]+\.yaml|composer\.json|deno\.jsonc?)$/;
const ASSERTS =
  /\b(?:from|import|require)\b[^\n]{0,200}(?:\bassert\b|chai|vitest|@jest|node:test|\bexpect\b|pytest|unittest|\btap\b|tape|should)|\bexpect\s?\(|^[ \t]*assert\b/m;
const TEST_WORDS =
  /(?:^|[/._-])(?:tests?|specs?|mocks?|stubs?|asserts?|assertions?|expected|golden)(?=[/._-])/i;
/** Product code has such folders too. */
const HELPER_WORDS = /(?:^|[/._-])(?:helpers?|support)(?=[/._-])|^testing\//i;

/** A tree with its files. */
interface ListedTree {
  tree: string;
  entries: readonly TreeEntry[];
}

/**
 * The changed files that belong to the tests: by convention, or because only tests use them. Code that only tests import
 * does not count, unless it is named like a test; if it is named like a helper or asserts something, it is doubtful.
 */
export async function findTestSide(
  repository: Repository,
  base: ListedTree,
  candidate: ListedTree,
  allChanges: readonly PathChange[],
): Promise<TestSide> {
  const inPlace = onlyMovedFiles(base.entries, candidate.entries, allChanges);
  const changes = allChanges.filter(({ path }) => !inPlace.has(path));
  const existing = changes.filter(({ path, change }) => change !== 'added' && !isTestSide(path));
  const users = new Set([
    ...(await usedByTestsOnly(repository, base.tree, changes, base.entries)),
    ...(await inPackagesForTests(
      repository,
      base,
      candidate,
      existing.map(({ path }) => path),
      isTestSide,
    )),
  ]);
  const pathsIn = (isAdded: boolean) =>
    changes.filter(({ change }) => (change === 'added') === isAdded).map(({ path }) => path);
  // Of a file that exists on the base, only its use there counts: a change cannot make a helper part of the product.
  const product = new Set([
    ...(await findProduct(repository, base, pathsIn(false))),
    ...(await findProduct(repository, candidate, pathsIn(true))),
  ]);
  const modules = new Set([
    ...(await modulesForTests(repository, base.entries, pathsIn(false).filter(isRustModule))),
    ...(await modulesForTests(repository, candidate.entries, pathsIn(true).filter(isRustModule))),
    ...(await internalTestCode(repository, base.entries, pathsIn(false))),
    ...(await internalTestCode(repository, candidate.entries, pathsIn(true))),
  ]);
  const others = (isAdded: boolean) => pathsIn(isAdded).filter((path) => !isTestSide(path));
  const options = { asserts: ASSERTS, isTest: isTestSide };
  // Of the base only: a change could publish its own tests.
  const published = others(false).some(isJs) ? await publishedFiles(repository, base.entries) : [];
  const scripts = new Set([
    ...(await loadedTests(repository, base, others(false), { ...options, published })),
    ...(await loadedTests(repository, candidate, others(true), options)),
  ]);
  const isListed = await listedTests(repository, base, candidate, changes);
  const submodules = new Set(
    [...base.entries, ...candidate.entries].filter(({ mode }) => mode === '160000').map(({ path }) => path),
  );
  const isOwn = (path: string) =>
    (isTestSide(path) && !product.has(path)) ||
    (users.has(path) && isOfTests(path)) ||
    modules.has(path) ||
    isListed(path) ||
    scripts.has(path) ||
    (submodules.has(path) && FOLDERS.test(`${path}/`));
  const own = changes.filter(({ path }) => isOwn(path));
  return {
    added: pathsOf(own, 'added'),
    modified: pathsOf(own, 'modified'),
    deleted: pathsOf(own, 'deleted'),
    doubtful: changes.filter(({ path }) => users.has(path) && !isOwn(path)),
  };
}

/** Whether a Cargo.toml lists a changed file as a test: the base's, unless the file is new. */
async function listedTests(
  repository: Repository,
  base: ListedTree,
  candidate: ListedTree,
  changes: readonly PathChange[],
): Promise<(path: string) => boolean> {
  if (!changes.some(({ path }) => path.endsWith('.rs') && !isTestSide(path))) return () => false;
  const added = new Set(pathsOf(changes, 'added'));
  const targetsOf = async ({ entries }: ListedTree) => {
    const manifests = entries.map(({ path }) => path).filter(isCargoManifest);
    return listedTargets(await readFiles(repository, entries, new Set(manifests)));
  };
  const [before, after] = [await targetsOf(base), await targetsOf(candidate)];
  return (path) => (added.has(path) ? after : before)(path) === 'test';
}

/** Names that only tests have; others, such as `spec/` and `test.py`, also occur in a product. */
const ONLY_TESTS =
  /[._-](?:test|spec|e2e|cy)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|__snapshots__|__mocks__|__fixtures__|testdata)\/|_test\.(?:py|go)$|(?:^|\/)(?:test_[^/]*|conftest)\.py$/;

/** Next to a package's manifest, such a file may be a script for the tests. */
const ROOT_SCRIPT = /^(?!(?:index|main|app|server|cli|mod)\.)[^/]*\.[cm]?[jt]sx?$/;

/** The files that belong to the tests by convention, but contain no test and are imported by the product. */
async function findProduct(
  repository: Repository,
  { tree, entries }: ListedTree,
  paths: readonly string[],
): Promise<Set<string>> {
  const wanted = new Set(paths.filter((path) => isTestSide(path) && !ONLY_TESTS.test(path)));
  const files = entries.filter(({ path, mode }) => wanted.has(path) && mode.startsWith('100'));
  const texts = await readBlobs(
    repository,
    files.map(({ object }) => object),
  );
  const withoutTests = files.filter(
    ({ path, object }) => readTestCases(path, texts.get(object) ?? '').cases.length === 0,
  );
  if (withoutTests.length === 0) return new Set();
  const roots = packageRoots(new Set(entries.map(({ path }) => path)));
  const isRoot = (folder: string) => roots.has(folder === '.' ? '' : folder);
  const isProduct = (path: string) =>
    isSource(path) &&
    !isTestSide(path) &&
    conventionOf(path, isRoot) === undefined &&
    !(isRoot(posix.dirname(path)) && ROOT_SCRIPT.test(posix.basename(path)));
  return importedByProduct(
    repository,
    tree,
    withoutTests.map(({ path }) => path),
    isProduct,
  );
}

/** Whether a file that only tests use is not product code: data, or code named like a test. */
function isOfTests(path: string): boolean {
  return !CODE.test(path) || TEST_WORDS.test(path);
}

/** The same change, with the doubtful files as part of the tests. */
export function withDoubtful(side: TestSide): TestSide {
  return {
    added: side.added,
    modified: [...side.modified, ...pathsOf(side.doubtful, 'modified')],
    deleted: [...side.deleted, ...pathsOf(side.doubtful, 'deleted')],
    doubtful: [],
  };
}

function pathsOf(changes: readonly PathChange[], kind: PathChange['change']): string[] {
  return changes.filter(({ change }) => change === kind).map(({ path }) => path);
}

async function usedByTestsOnly(
  repository: Repository,
  baseTree: string,
  changes: readonly PathChange[],
  baseEntries: readonly TreeEntry[],
): Promise<Set<string>> {
  const open = changes
    .filter(({ path, change }) => change !== 'added' && !isTestSide(path) && !PROJECT_FILES.test(path))
    .map(({ path }) => path);
  const objects = new Map(baseEntries.map(({ path, object }) => [path, object]));
  const code = open.filter((path) => CODE.test(path));
  const texts = await readBlobs(
    repository,
    code.map((path) => objects.get(path) ?? ''),
  );
  const helpers = code.filter(
    (path) =>
      TEST_WORDS.test(path) ||
      HELPER_WORDS.test(path) ||
      ASSERTS.test(texts.get(objects.get(path) ?? '') ?? ''),
  );
  const candidates = [...open.filter((path) => DATA.test(path)), ...helpers];
  const mentions = await findMentions(repository, baseTree, candidates);
  if (mentions === undefined) return new Set();
  const usersOf = (path: string, all = mentions) =>
    [...(all.get(path) ?? [])].filter((user) => !isProse(user));
  // Tests may list a folder of data instead, such as expected results.
  const unnamed = candidates.filter((path) => DATA.test(path) && usersOf(path).length === 0);
  const withCode = new Set(
    baseEntries.filter(({ path }) => isSource(path)).flatMap(({ path }) => foldersAround(path)),
  );
  const dataFolders = (path: string) => foldersAround(path).filter((folder) => !withCode.has(folder));
  const folders = await findMentions(repository, baseTree, [...new Set(unnamed.flatMap(dataFolders))]);
  const usersOfFolder = (path: string) =>
    dataFolders(path)
      .map((folder) => usersOf(folder, folders ?? new Map()))
      .find((users) => users.length > 0) ?? [];
  const isForTests = (users: readonly string[]) =>
    users.length > 0 && users.every((user) => isTestSide(user));
  return new Set([
    ...candidates.filter((path) => isForTests(usersOf(path))),
    ...unnamed.filter((path) => isForTests(usersOfFolder(path))),
  ]);
}

/** The innermost first. */
function foldersAround(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, at) => parts.slice(0, parts.length - at).join('/'));
}

/** Documentation and lock files name everything. */
function isProse(path: string): boolean {
  return /\.(?:md|rst|adoc|lock)$/.test(path) || posix.basename(path) === 'package-lock.json';
}

/** Folders for fixtures, snapshots and support code. */
const FOLDERS =
  /(?:^|\/)(?:tests?|specs?|e2e|cypress|__tests__|__snapshots__|__fixtures__|__mocks__|__data__|fixtures|testdata|test[-_]?(?:data|fixtures|[hH]elpers?|[uU]tils?|[sS]upport)|testing\/(?:data|cases|resources|samples)|goldens?|cassettes|[^/]+\.(?:Unit)?Tests?|t\/(?:lib|data))\//;
const NAMES =
  /^(?:conftest\.py|setup-?tests?\.[cm]?[jt]sx?|(?:jest|vitest|mocha|test)[._-]?setup\.[cm]?[jt]sx?|(?:test|spec)[._-]?(?:helpers?|utils?|support)\.\w+|.+\.(?:snap|golden|t)|(?:test_.+|.+[_-](?:unit)?tests?|tests?)\.(?:c|cc|cpp|cxx|h|hpp)|.+\.(?:approved|expected)\.\w+)$/i;

/**
 * Whether a file of the tests has an effect on others that do not name it: fixtures of pytest and mocks of jest, which replace
 * others, and manifests and packages, which decide what an import finds.
 */
export function actsByPlace(path: string): boolean {
  if (/(?:^|\/)package\.json$/.test(path)) return !/(?:^|\/)(?:fixtures?|__fixtures__|testdata)\//.test(path);
  return /(?:^|\/)(?:(?:__mocks__|node_modules)\/.+|conftest\.py)$/.test(path);
}

/** Maven and Gradle keep tests elsewhere. */
const JVM_PRODUCT = /(?:^|\/)src\/main\/(?:java|kotlin|scala|groovy|resources)\//;

/** Whether a file belongs to the tests by convention: tests, helpers, fixtures, snapshots and set-up files. */
export function isTestSide(path: string): boolean {
  if (JVM_PRODUCT.test(path)) return false;
  const isInFolder = FOLDERS.test(path) && !isRustModule(path);
  return isTestFile(path) || isShellTest(path) || isInFolder || NAMES.test(posix.basename(path));
}

/** Cargo keeps tests next to src/ or in modules named tests; other folders of a source are modules of the product. */
function isRustModule(path: string): boolean {
  const [, above = '', module = ''] = /^((?:.*\/)?)src\/(.*\.rs)$/.exec(path) ?? [];
  return module !== '' && !FOLDERS.test(above) && !/(?:^|\/)tests?\//.test(module);
}

const TYPE_TEST =
  /[._-](?:test-d|tst)\.[cm]?tsx?$|(?:^|\/)(?:test-d|type-?tests?|types-?tests?)\/.*\.[cm]?tsx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;

const TYPESCRIPT = /\.[cm]?tsx?$/;

/**
 * The type tests (of tsd, tstyche and similar tools) of a change whose only code is type declarations or TypeScript: they
 * have no names, but the test command fails with them. Empty if the change has other code, which type tests do not run.
 */
export function findTypeTests(changes: readonly PathChange[]): string[] {
  const isOther = ({ path }: PathChange) => isSource(path) && !TYPESCRIPT.test(path) && !isTestSide(path);
  const isTyped = ({ path }: PathChange) =>
    DECLARATIONS.test(path) || (TYPESCRIPT.test(path) && !TYPE_TEST.test(path) && !isTestSide(path));
  if (changes.some(isOther) || !changes.some(isTyped)) return [];
  return changes
    .filter(({ path, change }) => change !== 'deleted' && TYPE_TEST.test(path) && !DECLARATIONS.test(path))
    .map(({ path }) => path);
}
