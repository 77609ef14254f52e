import { posix } from 'node:path';
import { globMatcher } from '../../domain/protection/fits-glob.ts';
import { isCargoManifest, listedTargets } from '../harness/cargo-manifest.ts';
import { readTomlSections, tomlBelow } from '../harness/config-sections.ts';
import { entryPoints } from '../harness/product-files.ts';
import { importIndex } from './imported-files.ts';
import {
  conventionOf,
  generatedMark,
  isBuiltElsewhere,
  type LeftOutReason,
  packageRoots,
} from './source-conventions.ts';
import { isSource } from './source-language.ts';
import { startedPrograms } from './started-programs.ts';

export interface LeftOut {
  path: string;
  why: LeftOutReason;
}

export interface ProductCode {
  /** Why coverage does not count a file; undefined if it is product code. */
  whyLeftOut(path: string): LeftOutReason | undefined;
  /** Whether tests start the file as a program; if no line of it ran, the tool did not see it run. */
  isStarted(path: string): boolean;
}

export interface ProductCodeRequest {
  files: ReadonlySet<string>;
  baseFiles: ReadonlySet<string>;
  changed: ReadonlyMap<string, ReadonlySet<number>>;
  readText(path: string): string | undefined;
  /** Globs of files that always count, and of files that never do. */
  include?: readonly string[];
  exclude?: readonly string[];
}

const MAX_READ = 20_000;
const VENDORED = /(?:^|\/)(?:vendor|third_party|third-party|node_modules|bower_components)\//;
const OUTPUT = /^(?:dist|build|out|lib-cov|umd|esm|cjs)$/;

/**
 * Separates product code from tests, examples, settings and so on. Code that the product imports is product code in any
 * folder: otherwise a move into `examples/` would hide it.
 */
export function findProductCode(request: ProductCodeRequest): ProductCode {
  const { files, changed, include = [], exclude = [] } = request;
  const roots = packageRoots(files);
  const isRoot = (folder: string) => roots.has(folder);
  const included = include.map(globMatcher);
  const excluded = exclude.map(globMatcher);
  const byPerson = (path: string): LeftOutReason | 'counts' | undefined => {
    if (included.some((fits) => fits(path))) return 'counts';
    return excluded.some((fits) => fits(path)) ? 'excluded by coverage.exclude' : undefined;
  };
  const listedAs = cargoTargets(request);
  const byConvention = (path: string) =>
    isSource(path) ? (conventionOf(path, isRoot) ?? listedAs(path)) : undefined;
  const hidden = new Map<string, LeftOutReason>();
  for (const path of files) {
    const why = byConvention(path);
    if (why !== undefined && byPerson(path) === undefined) hidden.set(path, why);
  }
  const concerned = [...changed.keys()].some((path) => hidden.has(path));
  const used = concerned ? importedByProduct(request, hidden) : new Set<string>();
  const written = new Map<string, LeftOutReason>();
  for (const path of changed.keys()) {
    const why = isSource(path) ? writtenElsewhere(path, request, roots) : undefined;
    if (why !== undefined) written.set(path, why);
  }
  for (const path of goTestSupport(request)) written.set(path, 'test');
  // Now, since commands may change the files later.
  const started = new Set([...changed.keys()].filter(isSource).filter(startedPrograms(request)));
  return {
    isStarted: (path) => started.has(path),
    whyLeftOut(path) {
      const decided = byPerson(path);
      if (decided !== undefined) return decided === 'counts' ? undefined : decided;
      const why = hidden.get(path);
      if (why !== undefined && !used.has(path)) return why;
      return (
        written.get(path) ?? (VENDORED.test(path) && request.baseFiles.has(path) ? 'vendored' : undefined)
      );
    },
  };
}

const TARGETS = { test: 'test', bench: 'benchmark', example: 'example' } as const;

/** Files that a Cargo.toml lists as tests, benchmarks or examples. */
function cargoTargets({
  files,
  changed,
  readText,
}: ProductCodeRequest): (path: string) => LeftOutReason | undefined {
  if (![...changed.keys()].some((path) => path.endsWith('.rs'))) return () => undefined;
  const manifests = [...files].filter(isCargoManifest);
  const targetOf = listedTargets(manifests.map((path) => ({ path, text: readText(path) ?? '' })));
  return (path) => {
    const target = targetOf(path);
    return target && TARGETS[target];
  };
}

/** Follows imports from the product and its entry points into files that only look like non-product code. */
function importedByProduct(
  { files, readText }: ProductCodeRequest,
  hidden: ReadonlyMap<string, LeftOutReason>,
): ReadonlySet<string> {
  const index = importIndex([...hidden.keys()].filter((path) => hidden.get(path) !== 'type declarations'));
  const used = new Set<string>();
  const pending: [string, string][] = [];
  for (const path of files) {
    const name = posix.basename(path);
    if (name === 'package.json' && !/(?:^|\/)(?:fixtures?|node_modules)\//.test(path))
      pending.push([path.replace(/json$/, 'js'), entryTexts(readText(path) ?? '')]);
    else if (name === 'pyproject.toml' || name === 'setup.cfg')
      pending.push([posix.join(posix.dirname(path), 'entry-points.py'), pythonEntries(readText(path) ?? '')]);
  }
  const sources = [...files].filter((path) => isSource(path) && !hidden.has(path) && !VENDORED.test(path));
  for (const path of sources.slice(0, MAX_READ)) pending.push([path, readText(path) ?? '']);
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const path of index.importedBy(...next))
      if (!used.has(path)) {
        used.add(path);
        pending.push([path, readText(path) ?? '']);
      }
  return used;
}

/** As import statements: a package's entry points and the program that it starts. */
function entryTexts(text: string): string {
  const start = /"start"\s*:\s*"([^"\n]{1,300})"/.exec(text)?.[1] ?? '';
  const words = start.split(/\s+/).filter((word) => /\.[cm]?[jt]sx?$/.test(word));
  return [...entryPoints(text), ...words].map((path) => `import './${path.replace(/^\.\//, '')}'`).join('\n');
}

const ENTRY_SECTIONS = [
  'project.scripts',
  'project.gui-scripts',
  'project.entry-points',
  'tool.poetry.scripts',
  'tool.poetry.plugins',
];

function pythonEntries(text: string): string {
  const found = tomlBelow(readTomlSections(text), ENTRY_SECTIONS) ?? '';
  const ini = /^\[options\.entry_points\]\n((?:(?!\[).*\n?)*)/m.exec(text)?.[1] ?? '';
  const names = `${found}\n${ini}`.match(/=\s*["']?[\w.]+/g) ?? [];
  return names.map((name) => `"${name.replace(/^=\s*["']?/, '')}"`).join('\n');
}

/** Generated files, third-party files and files that are not built here. A mark counts only if the base has it. */
function writtenElsewhere(
  path: string,
  { files, baseFiles, changed, readText }: ProductCodeRequest,
  roots: ReadonlySet<string>,
): LeftOutReason | undefined {
  if (/(?:^|\/)vendor\//.test(path) && path.endsWith('.go')) {
    const list = `${path.slice(0, path.indexOf('vendor/'))}vendor/modules.txt`;
    if (files.has(list) && baseFiles.has(list)) return 'vendored';
  }
  const parts = path.split('/');
  for (const [at, folder] of parts.slice(0, -1).entries()) {
    const above = parts.slice(0, at).join('/');
    const isOutput = OUTPUT.test(folder) && roots.has(above);
    const inside = `${parts.slice(0, at + 1).join('/')}/`;
    if (isOutput && [...baseFiles].some((one) => one.startsWith(inside) && isSource(one)))
      return 'build output';
  }
  const text = readText(path);
  if (text === undefined) return undefined;
  const mark = generatedMark(text);
  if (mark > 0 && baseFiles.has(path) && !changed.get(path)?.has(mark)) return 'generated';
  return isBuiltElsewhere(path, text) ? 'not built on this platform' : undefined;
}

interface GoFiles {
  files: Iterable<string>;
  changed: ReadonlyMap<string, unknown>;
  readText(path: string): string | undefined;
}

/**
 * Changed Go files of internal packages that only tests import. Nothing outside the module can import such a package,
 * so it is not part of the product.
 */
function goTestSupport({ files, changed, readText }: GoFiles): string[] {
  const inside = [...changed.keys()].filter((path) => /(?:^|\/)internal\/.*\.go$/.test(path));
  if (inside.length === 0) return [];
  const sources = [...files].filter((path) => path.endsWith('.go'));
  const imports = new Map(sources.map((path) => [path, importedPackages(readText(path) ?? '')]));
  const isProgram = (folder: string) =>
    sources.some(
      (path) =>
        posix.dirname(path) === folder && /^package main$/m.test(readText(path)?.slice(0, 5000) ?? ''),
    );
  const isSupport = (folder: string) => {
    const users = sources.filter(
      (path) =>
        posix.dirname(path) !== folder && imports.get(path)?.some((name) => name.endsWith(`/${folder}`)),
    );
    return users.length > 0 && users.every((path) => path.endsWith('_test.go')) && !isProgram(folder);
  };
  const support = new Set([...new Set(inside.map((path) => posix.dirname(path)))].filter(isSupport));
  return inside.filter((path) => support.has(posix.dirname(path)));
}

function importedPackages(text: string): string[] {
  return [...text.matchAll(/^(?:import\s+)?\s*(?:[\w.]+\s+)?"([^"\n]{1,300})"$/gm)].map(
    ([, name]) => name ?? '',
  );
}
