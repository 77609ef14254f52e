import { posix } from 'node:path';
import { isTestFile } from '../../domain/is-test-file.ts';
import { insidePath } from './tree-reader.ts';

const MAX_WORDS = 5000;
const MAX_WORD = 300;
const CODE =
  /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|json[c5]?|ya?ml|toml|rb|pl|ini|cfg|conf|xml|gradle|kts|mk|lua|php)$/i;
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
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|tsconfig.*\.json|jsconfig\.json|pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|requirements.*\.txt|constraints.*\.txt|Cargo\.toml|go\.(?:mod|sum)|pom\.xml|composer\.json|.*\.lock|.*-lock\.(?:json|yaml)|.*\.md)$/i;
const DATA_FOLDER = /(?:^|\/)(?:fixtures?|__fixtures__|__snapshots__|testdata|snapshots)\//;
const PRODUCT_FOLDER = /(?:^|\/)(?:src|lib|app|dist|build|out|target)\//;
const TEST_WORD = /(?:test|check|verif|spec|runner|setup|report|lint|coverage)/i;

/** The files of a tree that a text names: scripts, setup files, reporters. Product code, tests and data are not among them. */
export function namedFiles(text: string, folder: string, files: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  const words = text.replaceAll('<rootDir>/', './').split(/[\s'"`=,;:()[\]{}<>|&]+/, MAX_WORDS);
  for (const word of new Set(words)) {
    const path = resolveWord(word, folder, files);
    if (path !== undefined && isHarnessFile(path)) found.add(path);
  }
  return [...found];
}

/** What a script imports from beside it. */
export function relativeImports(text: string, path: string, files: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(
    /\b(?:from|import|require|URL)\s{0,10}\(?\s{0,10}['"](\.{1,2}\/[^'"\n]{1,200})['"]/g,
  )) {
    const target = resolveWord(match[1] ?? '', posix.dirname(path), files);
    if (target !== undefined && isHarnessFile(target)) found.add(target);
  }
  return [...found];
}

function isHarnessFile(path: string): boolean {
  const name = posix.basename(path);
  if (isTestFile(path) && !/(?:^|\/)(?:conftest|__init__)\.py$/.test(path)) {
    // A folder of tests holds its setup too; only a name that says so tells them apart.
    if (!/\.py$/.test(name) || /^test_|_test\.py$/.test(name)) return false;
  }
  if (MANIFEST.test(name) || DATA_FOLDER.test(path)) return false;
  return !PRODUCT_FOLDER.test(path) || TEST_WORD.test(name);
}

function resolveWord(word: string, folder: string, files: ReadonlySet<string>): string | undefined {
  if (word === '' || word.length > MAX_WORD) return undefined;
  const path = insidePath(posix.join(folder === '' ? '.' : folder, word));
  if (path === undefined || path === '') return undefined;
  if (files.has(path)) {
    if (CODE.test(path)) return path;
    return word.includes('/') || /^[\w-]+$/.test(word) ? path : undefined;
  }
  if (/^\.{1,2}\//.test(word)) {
    const stem = path.replace(/\.([cm]?)js$/, '.$1ts');
    if (stem !== path && files.has(stem)) return stem;
    const ending = IMPORT_ENDINGS.find((one) => files.has(path + one));
    if (ending !== undefined) return path + ending;
  }
  if (/^[A-Za-z_][\w.]*$/.test(word) && word.includes('.')) {
    const module = insidePath(posix.join(folder === '' ? '.' : folder, `${word.replaceAll('.', '/')}.py`));
    if (module !== undefined && files.has(module)) return module;
  }
  return undefined;
}
