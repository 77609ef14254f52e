import { fitsGlob } from './protection/fits-glob.ts';

const JS = /\.[cm]?[jt]sx?$/;
const CONVENTIONS: readonly RegExp[] = [
  /[._-](?:test|spec|e2e|cy)\.[cm]?[jt]sx?$|\.(?:tests|specs)\.[cm]?[jt]sx?$/,
  /(?:^|\/)__tests__\/(?:.*\/)?[^/]+\.[cm]?[jt]sx?$/,
  /(?:^|\/)(?:test|tests)\.[cm]?[jt]s$/,
  /(?:^|\/)(?:test_[^/]*|tests?)\.py$/,
  /_test\.(?:py|go)$/,
  /(?:^|\/)tests?\/(?:.*\/)?[^/]+\.py$/,
  /(?:^|\/)tests\/[^/]+\.rs$/,
  /(?:^|\/)tests\/[^/]+\/main\.rs$/,
  /(?:^|\/)src\/test\/.*\.(?:java|kt|scala|groovy)$/,
  /(?:^|\/)[^/]*Tests?\.(?:java|kt)$/,
];
/** A test folder by some conventions, although it may also contain setup and data. */
const TEST_FOLDER = /(?:^|\/)(?:tests?|specs?|e2e|__tests__|cypress)\//;
const NEVER =
  /(?:^|\/)(?:node_modules|__snapshots__|__fixtures__|__mocks__|fixtures|testdata)\/|\.d\.[cm]?ts$/;
/** A package's own scripts, which may run tests; those with the name of a test are tests. */
const SCRIPTS = /^(?:(?:packages|apps|libs|modules|crates)\/[^/]+\/)?(?:scripts|bin|tools)\//;
const TEST_OF_SCRIPT = /\.(?:tests?|specs?)\.[cm]?[jt]sx?$|_test\.go$/;

function isNever(path: string): boolean {
  if (NEVER.test(path)) return true;
  return SCRIPTS.test(path) && !TEST_FOLDER.test(path) && !TEST_OF_SCRIPT.test(path);
}

/** Whether a file is a test by the conventions of its language, or by a person's globs. */
export function isTestFile(path: string, globs: readonly string[] = []): boolean {
  const plain = path.replaceAll('\\', '/');
  if (globs.some((glob) => fitsGlob(plain, glob))) return true;
  if (isNever(plain) || /(?:^|\/)(?:conftest|__init__)\.py$/.test(plain)) return false;
  return CONVENTIONS.some((convention) => convention.test(plain));
}

const SHELL_TEST =
  /(?:^|\/)(?:tests?|specs?)\/(?:.*\/)?[^/]+\.(?:sh|bash|zsh)$|(?:^|\/)(?:[^/]*[._-])?tests?\.(?:sh|bash|zsh)$|\.bats$/;

/** Whether a file is a shell script of tests, by its place or name. */
export function isShellTest(path: string): boolean {
  const plain = path.replaceAll('\\', '/');
  return SHELL_TEST.test(plain) && !isNever(plain);
}

export function isJs(path: string): boolean {
  return JS.test(path);
}

/** Whether it is worth looking for tests in a file: besides test files, what lies in test folders, and Rust sources. */
export function mayHoldTests(path: string, globs: readonly string[] = []): boolean {
  const plain = path.replaceAll('\\', '/');
  if (isTestFile(plain, globs)) return true;
  if (isNever(plain)) return false;
  return (JS.test(plain) && TEST_FOLDER.test(plain)) || plain.endsWith('.rs');
}
