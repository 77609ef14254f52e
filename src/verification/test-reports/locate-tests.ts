import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { TestReport } from '../../domain/entities/test-report.ts';

const MOST_FOLDERS = 20_000;
const LARGEST_FILE = 4 * 1024 * 1024;
/** If two files declare the same test, the one built on Linux comes first. */
const FOREIGN =
  /_(?:windows|darwin|freebsd|netbsd|openbsd|plan9|js|wasip1|android|ios|solaris|aix)(?:_\w+)?_test\.go$/;
const NOT_SEARCHED_FOR_GO = /^(?:\.|_|node_modules$|vendor$|testdata$)/;

/** Adds the file that declares each Go test. `go test` reports only packages and names. */
export function locateGoTests(root: string): (report: TestReport) => TestReport {
  let modules: Map<string, string> | undefined;
  const files = new Map<string, PackageFiles>();
  const filesOf = (name: string): PackageFiles => {
    modules ??= findModules(root);
    const known = files.get(name) ?? readPackage(root, folderOf(name, modules));
    files.set(name, known);
    return known;
  };
  return (report) => ({
    ...report,
    tests: report.tests.map((test) => {
      if (test.package === undefined || test.file !== undefined) return test;
      const file = filesOf(test.package).declares.get(test.name.split(' > ', 1)[0] ?? '');
      return file === undefined ? test : { ...test, file };
    }),
    faults: report.faults.map((fault) => {
      if (fault.package === undefined || fault.file === undefined) return fault;
      // The compiler gives paths relative to the folder of `go test`, which may be a nested module.
      const { folder, names } = filesOf(fault.package);
      const located = <Part extends { file: string }>(part: Part): Part => {
        const name = posix.basename(part.file);
        return folder !== undefined && names.has(name) ? { ...part, file: posix.join(folder, name) } : part;
      };
      const { places } = fault;
      const own = located({ ...fault, file: fault.file });
      return places === undefined ? own : { ...own, places: places.map(located) };
    }),
  });
}

interface PackageFiles {
  folder: string | undefined;
  names: ReadonlySet<string>;
  /** The file of each top-level test, example, benchmark and fuzz test. */
  declares: ReadonlyMap<string, string>;
}

/** Module folders by import path: several in a workspace, or nested. */
function findModules(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const waiting = [''];
  for (let seen = 0; waiting.length > 0 && seen < MOST_FOLDERS; seen += 1) {
    const folder = waiting.shift() ?? '';
    for (const entry of entriesOf(join(root, folder))) {
      if (entry.isDirectory() && !NOT_SEARCHED_FOR_GO.test(entry.name))
        waiting.push(posix.join(folder, entry.name));
      if (!entry.isFile() || entry.name !== 'go.mod') continue;
      const path = /^module[ \t]+"?([^\s"]+)/m.exec(textOf(join(root, folder, entry.name)))?.[1];
      if (path !== undefined && !found.has(path)) found.set(path, folder);
    }
  }
  return found;
}

/** The folder of the innermost module of a package; test packages end in `_test` or ` [p.test]`. */
function folderOf(name: string, modules: ReadonlyMap<string, string>): string | undefined {
  const path = name.split(' ', 1)[0] ?? '';
  let best: { length: number; folder: string } | undefined;
  for (const [module, folder] of modules) {
    const inside =
      path === module ? '' : path.startsWith(`${module}/`) ? path.slice(module.length + 1) : null;
    if (inside === null || inside.split('/').includes('..') || module.length < (best?.length ?? 0)) continue;
    best = { length: module.length, folder: posix.join(folder, inside) };
  }
  return best?.folder;
}

function readPackage(root: string, folder: string | undefined): PackageFiles {
  const names = new Set<string>();
  const declares = new Map<string, string>();
  if (folder === undefined) return { folder, names, declares };
  const entries = entriesOf(join(root, folder)).sort(
    (a, b) => Number(FOREIGN.test(a.name)) - Number(FOREIGN.test(b.name)),
  );
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('.go')) continue;
    names.add(entry.name);
    if (!entry.name.endsWith('_test.go')) continue;
    const text = textOf(join(root, folder, entry.name));
    for (const [, test = ''] of text.matchAll(
      /^func[ \t]+((?:Test|Example|Benchmark|Fuzz)[\p{L}\p{N}_]*)[ \t]*[([]/gmu,
    )) {
      if (!declares.has(test)) declares.set(test, posix.join(folder === '' ? '.' : folder, entry.name));
    }
  }
  return { folder: folder === '' ? '.' : folder, names, declares };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Safe: the candidate may have removed the folder; its tests are then not located.
    return [];
  }
}

function textOf(path: string): string {
  try {
    return statSync(path).size > LARGEST_FILE ? '' : readFileSync(path, 'utf8');
  } catch {
    // Safe: an unreadable file declares no test.
    return '';
  }
}

const NOT_SEARCHED_FOR_CARGO = /^(?:\.|node_modules$|target$|vendor$)/;

/**
 * Makes file paths of Rust tests relative to the tree. Cargo gives them relative to the package, of which there are
 * several.
 */
export function locateCargoTests(root: string): (report: TestReport) => TestReport {
  let packages: string[] | undefined;
  const known = new Map<string, { path: string; text: string }[]>();
  const placesOf = (file: string) => {
    packages ??= findPackages(root);
    const paths = new Set(['', ...packages].map((folder) => posix.join(folder, file)));
    return [...paths]
      .filter((path) => existsSync(join(root, path)))
      .map((path) => ({ path, text: textOf(join(root, path)) }));
  };
  const locate = (file: string, name: string): string => {
    const places = known.get(file) ?? placesOf(file);
    known.set(file, places);
    // Several packages may have a file of this name.
    const start = `fn ${name.split(' > ').at(-1)}(`;
    const found = places.length === 1 ? places : places.filter(({ text }) => text.includes(start));
    return found.length === 1 ? (found[0]?.path ?? file) : file;
  };
  return (report) =>
    report.runner === 'cargo test'
      ? {
          ...report,
          tests: report.tests.map((test) =>
            test.file ? { ...test, file: locate(test.file, test.name) } : test,
          ),
        }
      : report;
}

function findPackages(root: string): string[] {
  const found: string[] = [];
  const waiting = [''];
  for (let seen = 0; waiting.length > 0 && seen < MOST_FOLDERS; seen += 1) {
    const folder = waiting.shift() ?? '';
    for (const entry of entriesOf(join(root, folder))) {
      if (entry.isDirectory() && !NOT_SEARCHED_FOR_CARGO.test(entry.name))
        waiting.push(posix.join(folder, entry.name));
      if (entry.isFile() && entry.name === 'Cargo.toml') found.push(folder);
    }
  }
  return found;
}
