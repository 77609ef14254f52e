import { posix } from 'node:path';
import { isTestFile } from '../../domain/is-test-file.ts';

/** Why a file is not counted as product code. */
export type LeftOutReason =
  | 'test'
  | 'fixture'
  | 'benchmark'
  | 'example'
  | 'documentation'
  | 'configuration'
  | 'build script'
  | 'repository script'
  | 'migration'
  | 'type declarations'
  | 'generated'
  | 'vendored'
  | 'build output'
  | 'not built on this platform'
  | 'runs in a process of its own'
  | 'excluded by coverage.exclude';

const ANYWHERE: readonly [RegExp, LeftOutReason][] = [
  [/^flow-typed$/, 'type declarations'],
  [/^(?:fixtures?|__fixtures__|testdata|test-data|__mocks__|__snapshots__|snapshots|cassettes)$/i, 'fixture'],
  [
    /^(?:tests?|specs?|__tests?__|e2e|cypress|test[-_]?(?:utils?|helpers?|support|suite|lib|apps?|projects?)|testutils?|testhelpers?|androidTest|(?:integration|unit|typescript|types?|browser|smoke|system|functional|acceptance|regression|performance)[-_]tests?)$/i,
    'test',
  ],
];
/** Only in the root of the repository or of a package: deeper, a folder with such a name belongs to the product. */
const IN_PACKAGE_ROOT: readonly [RegExp, LeftOutReason][] = [
  [/^(?:bench(?:es|mark|marks|marking)?|perf|performance|perf[-_]tests?(?:ing)?)$/i, 'benchmark'],
  [/^fuzz(?:ing|ers|_targets)?$/i, 'test'],
  [/^(?:examples?|demos?|samples?|playgrounds?|sandbox)$/i, 'example'],
  [/^(?:docs?|documentation|website)$/i, 'documentation'],
  [/^(?:scripts?|tools?|tooling|hack|ci|buildSrc|xtask)$/i, 'repository script'],
  [/^\../, 'configuration'],
];
const NAMES: readonly [RegExp, LeftOutReason][] = [
  [/\.d\.[cm]?ts$|\.pyi$/, 'type declarations'],
  [/\.(?:stories|story)\.[cm]?[jt]sx?$/, 'documentation'],
  [/[._-](?:bench|benchmark)\.[cm]?[jt]sx?$|^bench_\w+\.py$|_bench(?:mark)?\.py$/, 'benchmark'],
  [/[._-](?:test-d|tst)\.[cm]?tsx?$|^tests?\.[\w-]+\.[cm]?[jt]sx?$|^conftest\.py$/, 'test'],
];
/** Settings and build scripts of tools, by name. In a source folder they may belong to the product. */
const TOOL_NAMES: readonly [RegExp, LeftOutReason][] = [
  [/^[\w.-]+\.(?:config|setup|conf)\.[cm]?[jt]s$|^\.[\w-]+(?:rc|file)?\.[cm]?[jt]s$/, 'configuration'],
  [
    /^(?:webpack|rollup|vite|vitest|jest|karma|babel|eslint|prettier|commitlint)\.[\w.-]+\.[cm]?[jt]s$/,
    'configuration',
  ],
  [
    /^(?:gulpfile|gruntfile|jakefile|dangerfile|cakefile|plopfile|herebyfile)(?:\.babel)?\.(?:[cm]?[jt]s|coffee)$/i,
    'build script',
  ],
  [
    /^(?:noxfile|fabfile|dodo|wscript|versioneer|bootstrap)\.py$|^build\.rs$|^magefiles?\.go$|^tools\.go$/,
    'build script',
  ],
  [/\.gradle(?:\.kts)?$|^build\.sc$|^build\.sbt$/, 'build script'],
];
const TEST_DATA = /(?:^|\/)testing\/(?:data|cases|resources|samples)\//;
const ROOT_BENCHMARK = /^(?:bench(?:mark)?s?|perf)(?:[-_][\w-]+)?\.(?:[cm]?[jt]s|py)$/;
const ROOT_TEST = /^tests?[-_][\w.-]+\.[cm]?[jt]s$/;
const ROOT_NAMES = /^(?:setup|tasks|manage|release|ez_setup)\.py$|^(?:make|build)\.[cm]?js$/;
const SOURCE_FOLDER = /^(?:src|lib|app)$/;
const MIGRATION = /^(?:\d{3,}[_-]?|V\d[\d_.]*__|[0-9a-f]{12}_)/;

/**
 * Why a file is not product code by the conventions of its ecosystem; undefined if it is. `isPackageRoot`: whether a
 * folder is the root of a package.
 */
export function conventionOf(
  path: string,
  isPackageRoot: (folder: string) => boolean,
): LeftOutReason | undefined {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const named = find(NAMES, name);
  if (named) return named;
  const reasons = folders.map((folder) => find(ANYWHERE, folder));
  const placed =
    reasons.find((reason) => reason === 'fixture') ?? reasons.find((reason) => reason !== undefined);
  if (placed) return placed;
  if (TEST_DATA.test(path)) return 'fixture';
  if (isTestFile(path)) return 'test';
  for (const [at, folder] of folders.entries()) {
    if (!isPackageRoot(folders.slice(0, at).join('/'))) continue;
    const reason = find(IN_PACKAGE_ROOT, folder);
    if (reason) return reason;
  }
  if (folders.some((folder) => /^(?:migrations|versions)$/.test(folder)) && MIGRATION.test(name))
    return 'migration';
  if (isPackageRoot(folders.join('/'))) {
    if (ROOT_NAMES.test(name)) return 'build script';
    if (ROOT_BENCHMARK.test(name)) return 'benchmark';
    if (ROOT_TEST.test(name)) return 'test';
  }
  return folders.some((folder) => SOURCE_FOLDER.test(folder)) ? undefined : find(TOOL_NAMES, name);
}

function find(table: readonly [RegExp, LeftOutReason][], name: string): LeftOutReason | undefined {
  return table.find(([pattern]) => pattern.test(name))?.[1];
}

const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.py|setup\.cfg|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|[\w-]+\.gemspec)$/;

/** The root folders of packages; the tree's own root is one. */
export function packageRoots(files: ReadonlySet<string>): Set<string> {
  const found = new Set(['']);
  for (const path of files) {
    if (!MANIFEST.test(path)) continue;
    const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
    // Next to it, setup.py is an ordinary module.
    const isModule = path.endsWith('setup.py') && files.has(posix.join(folder, '__init__.py'));
    if (!isModule) found.add(folder);
  }
  return found;
}

const GENERATED =
  /^\s{0,9}(?:\/\/|#|--|\/?\*+|<!--|;+)\s{0,9}(?:Code generated .{0,200}DO NOT EDIT\.?|.{0,80}@generated\b|.{0,80}\bautomatically generated\b|.{0,80}\bauto-?generated\b|Generated by (?:the protocol buffer compiler|Django|\w).{0,200}|This file (?:was|is) (?:auto-?)?generated\b)/i;
const MARK_LINES = 40;

/** The line that marks a file as generated; 0 without one. */
export function generatedMark(text: string): number {
  return text.split('\n', MARK_LINES).findIndex((line) => line.length < 500 && GENERATED.test(line)) + 1;
}

const GO_PLATFORMS =
  'aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows'.split(
    ' ',
  );
const GO_PROCESSORS =
  '386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm'.split(' ');

/** Common names for programs that `go run` starts by file, such as for `go generate`. */
const GENERATORS = /^(?:gen|generate|generator|codegen|tools?)$/;

/** Whether Go excludes a file on this machine by its name or by a constraint on a single platform. */
export function isBuiltElsewhere(path: string, text: string): boolean {
  if (!path.endsWith('.go')) return false;
  const here = new Set([
    process.platform === 'win32' ? 'windows' : process.platform,
    process.arch === 'x64' ? 'amd64' : process.arch,
  ]);
  const ends = posix.basename(path, '.go').split('_').slice(1).slice(-2);
  const isOther = (word: string) =>
    (GO_PLATFORMS.includes(word) || GO_PROCESSORS.includes(word)) && !here.has(word);
  if (ends.some(isOther)) return true;
  const constraint = /^\/\/go:build (.{1,200})$/m.exec(text.slice(0, 4000))?.[1]?.trim();
  if (constraint === undefined) return false;
  if (constraint === 'ignore') return true;
  if (GENERATORS.test(constraint) && /^package main\b/m.test(text)) return true;
  const negated = /^!(\w+)$/.exec(constraint)?.[1];
  if (negated !== undefined) return here.has(negated);
  const words = constraint.split(/\s*\|\|\s*/);
  return words.every(isOther);
}
