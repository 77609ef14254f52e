import { posix } from 'node:path';
import { isShellTest, isTestFile, mayHoldTests } from '../../domain/is-test-file.ts';
import { isTooDeep } from '../../domain/json/json.ts';
import { importTargets, resolveImport } from './named-files.ts';
import { runnersIn } from './runner-configs.ts';
import type { TreeReader } from './tree-reader.ts';

/** Separates the product, which a feature changes, from the scripts and settings that judge it. */
export interface ProductFiles {
  isProduct(path: string): boolean;
  /** Whether a test imports the file: then it is tested code, not a test. */
  isTested(path: string): Promise<boolean>;
  /** Whether it is an entry point, or other product code imports it. */
  isUsed(path: string): Promise<boolean>;
}

const ENTRY_NAME =
  /^(?:(?:index|main|app|server|cli)\.[cm]?[jt]sx?|(?:main|app|cli|server|manage|wsgi|asgi|__main__)\.py)$/;
const ENTRY_KEYS = ['main', 'module', 'browser', 'bin', 'exports', 'types'] as const;
const PRODUCT_FOLDER = /(?:^|\/)(?:src|lib|app|dist|build|out|target)\//;
const TOOL_FOLDER =
  /(?:^|\/)(?:tests?|specs?|__tests__|e2e|testing|scripts?|tools?|ci|hack|\.github|\.ci|\.circleci)\//;
const JUDGING_WORDS = new Set(
  'test tests tester testing check checks checker verify verifier verification spec specs run runner setup teardown reporter reporters lint linter coverage e2e smoke validate validator validation assert ci preload'.split(
    ' ',
  ),
);
const MAX_TESTS = 3000;

/** Whether a name contains a word of testing, as in `run-tests.sh` or `setupTests.ts`. */
export function namesAJudge(path: string): boolean {
  return posix
    .basename(path)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .some((word) => JUDGING_WORDS.has(word.toLowerCase()));
}

const TEST_CALL = /\b(?:test|it|describe|suite|assert|expect|tape|should)\b\s{0,4}[.(]/;
/** Without any of these, a script can neither start nor find other tests. */
const REACHES_OTHERS =
  /child_process|\bspawn|\bexec|\bfork\b|\bglob|readdir|\bprocess\b|\bvm\b|worker|\beval\b|\bFunction\b|\bimport\s{0,9}\(|\brequire\s{0,9}\(\s{0,9}[^'"\s)]|\brequire\b(?!\s{0,9}\()|from\s{1,9}['"][^.'"]/;
const IMPORT_LINE =
  /^(?:['"]use strict['"];?|(?:(?:const|let|var)\s{1,9}\w{1,80}\s{0,9}=\s{0,9})?require\([^()]{1,200}\);?|import\s{1,9}['"][^'"]{1,200}['"];?|\/\/.*)?$/;

/** Whether a script in a test folder is itself a test, or a list of tests, not the program that runs them. */
export function isTestScript(path: string, text: string): boolean {
  if (isTestFile(path) && !path.endsWith('.py')) return true;
  // Without a runner in it, the script's own commands are the tests.
  if (isShellTest(path)) return runnersIn(text).length === 0 && !/\bgo test\b|\s--test\b/.test(text);
  if (
    !mayHoldTests(path) ||
    /(?:run|runner|setup|teardown|harness|bootstrap|register)/i.test(posix.basename(path))
  )
    return false;
  return (
    TEST_CALL.test(text) ||
    !REACHES_OTHERS.test(text) ||
    withoutComments(text)
      .split('\n')
      .every((line) => IMPORT_LINE.test(line.trim()))
  );
}

/** Without comments that have lines of their own. */
function withoutComments(text: string): string {
  return text.replace(/^[^\S\n]*\/\*(?:[^*]|\*(?!\/))*\*\/[^\S\n]*$/gm, '');
}

/** Whether a file is in a usual folder for tests and scripts. */
export function isInToolFolder(path: string): boolean {
  return TOOL_FOLDER.test(path);
}

export async function findProductFiles(
  reader: TreeReader,
  files: readonly string[],
  known: ReadonlySet<string>,
): Promise<ProductFiles> {
  const entries = new Set<string>();
  for (const path of files.filter((file) => posix.basename(file) === 'package.json').slice(0, 500))
    for (const entry of entryPoints((await reader.readText(path)) ?? 'null')) {
      const target = resolveImport(`./${entry}`, posix.dirname(path), known);
      if (target !== undefined) entries.add(target);
    }
  const isProduct = (path: string): boolean => {
    if (entries.has(path)) return true;
    if (isInToolFolder(path)) return false;
    if (path.endsWith('.py') && known.has(posix.join(posix.dirname(path), '__init__.py')))
      return !path.endsWith('conftest.py');
    if (namesAJudge(path)) return false;
    return PRODUCT_FOLDER.test(path) || ENTRY_NAME.test(posix.basename(path));
  };
  let tested: Promise<ReadonlySet<string>> | undefined;
  let used: Promise<ReadonlySet<string>> | undefined;
  return {
    isProduct,
    async isTested(path) {
      tested ??= importedByTests(reader, files, known);
      return (await tested).has(path);
    },
    async isUsed(path) {
      // A package may publish what is built from such a file.
      if (entries.has(path) || ENTRY_NAME.test(posix.basename(path))) return true;
      used ??= namesImported(reader, files);
      return (await used).has(moduleName(path));
    },
  };
}

async function importedByTests(
  reader: TreeReader,
  files: readonly string[],
  known: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const path of files.filter((file) => isTestFile(file) || mayHoldTests(file)).slice(0, MAX_TESTS))
    for (const target of importTargets((await reader.readText(path)) ?? '', path, known)) found.add(target);
  return found;
}

const MAX_SOURCES = 5000;
const IMPORTED = /\b(?:from|import|require)\b\s{0,9}\(?\s{0,9}['"]([^'"\n]{1,300})['"]/g;
const PYTHON_IMPORT = /^[ \t]*(?:from|import)[ \t][^\n]{0,500}/gm;
/** In a package's metadata, `name = "package.module:function"`. */
const ENTRY_POINT = /=[ \t]{0,9}["']?([\w.]{1,200})/g;

/** The last parts of the modules that product code imports, and of those that its metadata names. */
async function namesImported(reader: TreeReader, files: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const isProductSource = (path: string) =>
    /\.(?:[cm]?[jt]sx?|py)$/.test(path) &&
    !isTestFile(path) &&
    !mayHoldTests(path) &&
    !isInToolFolder(path) &&
    !/\.config\.\w+$|(?:^|\/)\.[^/]*$/.test(path);
  for (const path of files.filter(isProductSource).slice(0, MAX_SOURCES)) {
    const text = (await reader.readText(path)) ?? '';
    if (path.endsWith('.py'))
      for (const [line] of text.matchAll(PYTHON_IMPORT))
        for (const word of line.split(/\W+/)) found.add(word);
    else for (const [, module = ''] of text.matchAll(IMPORTED)) found.add(moduleName(module));
  }
  for (const path of files.filter((one) =>
    /^(?:pyproject\.toml|setup\.(?:cfg|py))$/.test(posix.basename(one)),
  ))
    for (const section of ((await reader.readText(path)) ?? '').split(/^\[/m))
      if (!section.startsWith('tool'))
        for (const [, module = ''] of section.matchAll(ENTRY_POINT)) found.add(moduleName(`${module}.py`));
  return found;
}

/** Of `src/add/index.js`, `./add` and `calc.add`, `add`. */
function moduleName(path: string): string {
  const plain = path.replace(/\.(?:d\.)?(?:[cm]?[jt]sx?|py)$/, '').replace(/\/(?:index|__init__)$/, '');
  return plain.slice(
    Math.max(plain.lastIndexOf('/'), /^[\w.]+$/.test(plain) ? plain.lastIndexOf('.') : -1) + 1,
  );
}

/** The paths of a package.json's entry points and programs. */
export function entryPoints(text: string): string[] {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // Safe: an unreadable package has no entry point; the walk reports the file itself.
    return [];
  }
  if (json === null || typeof json !== 'object' || isTooDeep(json)) return [];
  const found: string[] = [];
  const pending: unknown[] = ENTRY_KEYS.map((key) =>
    Object.hasOwn(json, key) ? Reflect.get(json, key) : undefined,
  );
  for (let next = pending.pop(); pending.length > 0 || next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') found.push(next.replace(/^\.\//, ''));
    else if (next !== null && typeof next === 'object') pending.push(...Object.values(next));
  }
  return found;
}
