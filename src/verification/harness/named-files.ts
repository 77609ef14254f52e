import { posix } from 'node:path';
import { isTestFile } from '../../domain/is-test-file.ts';
import { insidePath } from './tree-reader.ts';

const MAX_WORDS = 5000;
const MAX_WORD = 300;
const CODE =
  /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|json[c5]?|ya?ml|toml|rb|pl|ini|cfg|conf|xml|gradle|kts|mk|lua|php)$/i;
const EXECUTABLE = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|rb|pl|php|lua)$/i;
const IMPORT_ENDINGS = [
  '.ts',
  '.js',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.tsx',
  '.jsx',
  '/index.ts',
  '/index.js',
];
/** Dependencies may be added, and compiler settings are the candidate's own. */
const MANIFEST =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|tsconfig.*\.json|jsconfig\.json|pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|.*requirements.*\.(?:txt|in)|constraints.*\.txt|Cargo\.toml|go\.(?:mod|sum)|pom\.xml|composer\.json|.*\.lock|.*-lock\.(?:json|yaml)|.*\.(?:md|rst|txt))$/i;
const REQUIREMENTS_FOLDER = /(?:^|\/)requirements\/[^/]+$/;
const DATA_FOLDER = /(?:^|\/)(?:fixtures?|__fixtures__|__snapshots__|testdata|snapshots)\//;
/** Settings whose paths are tests, product code, output or exclusions: nothing that the runner itself executes. */
const OTHER_USES =
  /^-*(?:[\w-]*exclude[\w-]*|[\w-]*ignore[\w-]*|include\w*|omit|source\w*|cov|cov-report|collectCoverageFrom|\w*IgnorePatterns|testMatch|testRegex|specs?|files|roots?|testpaths|norecursedirs|entry|input|deps|dependencies|filterwarnings|watch\w*|extensions?|DJANGO_SETTINGS_MODULE|\w*output\w*|out|outDir|junitxml|doctest[\w-]*|python_files|python_paths?|pythonpath|markers|per-file-ignores|known_\w+|whitelist_externals|allowlist_externals|package_data|sourceMap)$/i;
const KEY_BEFORE = /([\w$.-]{1,60})["']?\s{0,20}(?::|=)[^:=]{0,2000}$/;

/** Whether a file belongs to the product: that is being judged. */
export type IsProduct = (path: string) => boolean;

/**
 * The files that a runner's settings name: setup files, reporters, presets. Without product code, tests, data, and
 * paths that are only selected or excluded.
 */
export function namedFiles(
  text: string,
  folder: string,
  files: ReadonlySet<string>,
  isProduct: IsProduct,
): string[] {
  const found = new Set<string>();
  for (const { path, before } of pathsIn(text, folder, files)) {
    if (found.has(path) || !isHarnessFile(path, isProduct)) continue;
    const key = KEY_BEFORE.exec(before)?.[1];
    if (key === undefined || !OTHER_USES.test(key)) found.add(path);
  }
  return [...found];
}

/** Settings whose files run inside the runner. */
const LOADING =
  /^(?:require|import|loader|setupFiles(?:AfterEnv)?|globalSetup|globalTeardown|resolver|(?:test)?runner|(?:test)?environment|transform|snapshotSerializers|reporters?|plugins?|pytest_plugins|test(?:Sequencer|ResultsProcessor))$/i;
/** Settings that only give files another name. */
const RENAMING = /^(?:moduleNameMapper|alias|paths)$/;
const KEY = /([\w$-]{1,60})["']?\s{0,20}[:=]/g;

/** The files that a runner's settings load into it, in product folders too. */
export function loadedFiles(text: string, folder: string, files: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const { path, before } of pathsIn(text, folder, files)) {
    // The names within such a setting may be anything, such as patterns.
    const keys = [...before.matchAll(KEY)].map(([, key = '']) => key);
    const last = keys.findLast((key) => LOADING.test(key) || RENAMING.test(key) || OTHER_USES.test(key));
    if (/\s-p\s{0,9}$/.test(before) || (last !== undefined && LOADING.test(last))) found.add(path);
  }
  return [...found];
}

/** The files that a text names, with the text before each. */
function* pathsIn(
  text: string,
  folder: string,
  files: ReadonlySet<string>,
): Generator<{ path: string; before: string }> {
  const plain = text.replaceAll('<rootDir>/', './');
  let count = 0;
  for (const match of plain.matchAll(/[^\s'"`=,;:()[\]{}<>|&]+/g)) {
    count += 1;
    if (count > MAX_WORDS) return;
    const path = resolveWord(match[0], folder, files);
    if (path !== undefined) yield { path, before: plain.slice(Math.max(0, match.index - 2100), match.index) };
  }
}

/** Scripts that code inside a command loads. */
export function filesInCode(code: string, folder: string, files: ReadonlySet<string>): string[] {
  const words = code.split(/[\s'"`=,;:()[\]{}<>|&]+/, MAX_WORDS);
  const found = words.map((word) => resolveWord(word, folder, files));
  return [...new Set(found.filter((path) => path !== undefined))].filter((path) => EXECUTABLE.test(path));
}

/** The files of the tree that a script imports by a relative path. */
export function importTargets(text: string, path: string, files: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(
    /\b(?:from|import|require|URL)\s{0,10}\(?\s{0,10}['"](\.{1,2}\/?[^'"\n]{0,200})['"]/g,
  )) {
    const target = resolveImport(match[1] ?? '', posix.dirname(path), files);
    if (target !== undefined) found.add(target);
  }
  return [...found];
}

/** Imports of a script that also judge. */
export function relativeImports(
  text: string,
  path: string,
  files: ReadonlySet<string>,
  isProduct: IsProduct,
): string[] {
  return importTargets(text, path, files).filter((target) => isHarnessFile(target, isProduct));
}

export function isHarnessFile(path: string, isProduct: IsProduct): boolean {
  const name = posix.basename(path);
  if (isTestFile(path) && !/(?:^|\/)(?:conftest|__init__)\.py$/.test(path)) {
    // A test folder contains its setup too; only the name distinguishes them.
    if (!/\.py$/.test(name) || /^test_|_test\.py$/.test(name)) return false;
  }
  if (MANIFEST.test(name) || REQUIREMENTS_FOLDER.test(path) || DATA_FOLDER.test(path)) return false;
  return !isProduct(path);
}

/** A file as found by `require` and `import`, with or without its extension. */
export function resolveImport(word: string, folder: string, files: ReadonlySet<string>): string | undefined {
  const path = insidePath(posix.join(folder === '' ? '.' : folder, word));
  if (path === undefined || word.length > MAX_WORD) return undefined;
  if (files.has(path)) return path;
  const stem = path.replace(/\.([cm]?)jsx?$/, '.$1ts');
  if (stem !== path && files.has(stem)) return stem;
  const start = path === '' ? '.' : path;
  const ending = IMPORT_ENDINGS.find((one) => files.has(posix.normalize(start + one)));
  return ending === undefined ? undefined : posix.normalize(start + ending);
}

/** A module as found by `python -m`. */
export function resolveModule(word: string, folder: string, files: ReadonlySet<string>): string | undefined {
  if (!/^[A-Za-z_][\w.]*$/.test(word) || word.length > MAX_WORD) return undefined;
  const path = posix.join(folder === '' ? '.' : folder, word.replaceAll('.', '/'));
  return [`${path}.py`, `${path}/__main__.py`].map(insidePath).find((one) => one && files.has(one));
}

export function resolveWord(word: string, folder: string, files: ReadonlySet<string>): string | undefined {
  if (word === '' || word.length > MAX_WORD) return undefined;
  const path = insidePath(posix.join(folder === '' ? '.' : folder, word));
  if (path === undefined || path === '') return undefined;
  if (files.has(path)) {
    if (CODE.test(path)) return path;
    return word.includes('/') || /^[\w-]+$/.test(word) ? path : undefined;
  }
  if (/^\.{1,2}\//.test(word)) return resolveImport(word, folder, files);
  return word.includes('.') ? resolveModule(word, folder, files) : undefined;
}
