import type { CoverageReport, FileCoverage } from '../../domain/entities/coverage-report.ts';
import type { RootedCoverageReport } from './cobertura.ts';
import { sumLines } from './line-collector.ts';
import { isAbsolutePath, reportPath } from './report-text.ts';

export interface ResolvedCoverage {
  /** The report with paths of the tree. */
  report: CoverageReport;
  /** Paths of the report that match no file of the tree, or more than one. */
  unmatched: string[];
}

/** How a path was matched: exactly, or by the number of its last parts. */
interface Match {
  path: string;
  parts: number;
}

/**
 * Maps the paths of a report to files of the tree. Runners write them absolute, relative to their folder, or with the
 * module's name in front; an ambiguous path matches nothing. The root may have several names, such as one through a
 * link. If the report is in the tree, relative paths are tried in the folders above it, nearest first.
 */
export function resolveCoveragePaths(
  report: RootedCoverageReport,
  root: string | readonly string[],
  treeFiles: ReadonlySet<string>,
  reportPlace = '',
): ResolvedCoverage {
  const names = (typeof root === 'string' ? [root] : root).map(reportPath);
  const folders = report.roots ?? foldersAbove(reportPath(reportPlace));
  const finder = new TreeFinder(names, treeFiles, folders, report.roots !== undefined);
  const found = new Map<string, { parts: number; files: FileCoverage[] }>();
  const unmatched: string[] = [];
  for (const file of report.files) {
    const match = finder.find(file.path);
    const known = match && found.get(match.path);
    if (!match) unmatched.push(file.path);
    else if (!known || known.parts < match.parts) {
      for (const lesser of known?.files ?? []) unmatched.push(lesser.path);
      found.set(match.path, { parts: match.parts, files: [file] });
    } else if (known.parts > match.parts) unmatched.push(file.path);
    else known.files.push(file);
  }
  const files: FileCoverage[] = [];
  for (const [path, { parts, files: same }] of found) {
    // Two files with the same ending, neither named in full, are not the same file.
    const merged = same.length > 1 && parts !== EXACT ? undefined : merge(path, same);
    if (merged) files.push(merged);
    else for (const file of same) unmatched.push(file.path);
  }
  return { report: { format: report.format, files }, unmatched };
}

/** Several reports of one run as one: packages may execute each other's code. */
export function joinReports(reports: readonly CoverageReport[]): CoverageReport {
  const byPath = new Map<string, FileCoverage[]>();
  for (const file of reports.flatMap(({ files }) => files))
    byPath.set(file.path, [...(byPath.get(file.path) ?? []), file]);
  const files = [...byPath].flatMap(([path, same]) => merge(path, same) ?? []);
  return { format: [...new Set(reports.map(({ format }) => format))].join(', '), files };
}

const EXACT = Number.POSITIVE_INFINITY;
const MAX_PARTS = 100;

class TreeFinder {
  readonly #roots: readonly string[];
  readonly #files: ReadonlySet<string>;
  readonly #folders: readonly string[];
  readonly #foldersAreEqual: boolean;
  #backwards: string[] | undefined;

  constructor(
    roots: readonly string[],
    files: ReadonlySet<string>,
    folders: readonly string[],
    foldersAreEqual: boolean,
  ) {
    this.#roots = roots.map((root) => (root.endsWith('/') ? root : `${root}/`));
    this.#files = files;
    this.#folders = folders;
    this.#foldersAreEqual = foldersAreEqual;
  }

  find(given: string): Match | undefined {
    if (isAbsolutePath(given)) return this.#exact(given);
    const matches = this.#folders.flatMap((folder) => this.#exact(reportPath(`${folder}/${given}`)) ?? []);
    const [nearest] = matches;
    const isAmbiguous = this.#foldersAreEqual && new Set(matches.map(({ path }) => path)).size > 1;
    if (nearest) return isAmbiguous ? undefined : nearest;
    return this.#exact(given) ?? this.#bySuffix(given);
  }

  #exact(path: string): Match | undefined {
    const root = this.#roots.find((name) => path.startsWith(name)) ?? '';
    const relative = path.slice(root.length);
    return this.#files.has(relative) ? { path: relative, parts: EXACT } : undefined;
  }

  /** The tree's only file that ends with the whole path, or else the longest end of the path that is a file. */
  #bySuffix(given: string): Match | undefined {
    const parts = given.split('/', MAX_PARTS + 1).filter((part) => part !== '..');
    if (parts.length > MAX_PARTS) return undefined;
    const [path, another] = this.#endingWith(`/${parts.join('/')}`);
    if (path !== undefined) return another === undefined ? { path, parts: parts.length } : undefined;
    // Only Go puts its module before the path; elsewhere the first part is a folder, such as one of built files.
    const most = given.endsWith('.go') ? parts.length - 1 : 0;
    for (let skip = given.startsWith('../') ? 0 : 1; skip <= most; skip++) {
      const end = parts.slice(skip).join('/');
      // A module in a folder writes its report there.
      const places = most > 0 ? [...this.#folders.map((folder) => `${folder}/${end}`), end] : [end];
      const file = places.find((place) => this.#files.has(place));
      if (file !== undefined) return { path: file, parts: parts.length - skip };
    }
    return undefined;
  }

  /** At most two. Reversed and sorted, paths with the same end are adjacent. */
  #endingWith(end: string): string[] {
    this.#backwards ??= [...this.#files].map(reversed).sort(byCodeUnits);
    const sought = reversed(end);
    let low = 0;
    let high = this.#backwards.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#backwards[middle] ?? '') < sought) low = middle + 1;
      else high = middle;
    }
    return this.#backwards
      .slice(low, low + 2)
      .filter((path) => path.startsWith(sought))
      .map(reversed);
  }
}

function reversed(text: string): string {
  return text.split('').reverse().join('');
}

function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** `a/b` and `a` of `a/b/lcov.info`. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}

/** Totals of the same file cannot be added, so two of them must be equal. */
function merge(path: string, files: readonly FileCoverage[]): FileCoverage | undefined {
  const [first] = files;
  if (!first) return undefined;
  if (files.length === 1) return { ...first, path };
  const lines = new Map<number, number>();
  for (const file of files) {
    if (!file.lines) {
      const equal = files.every(({ covered, total }) => covered === first.covered && total === first.total);
      return equal ? { ...first, path } : undefined;
    }
    for (const [line, hits] of file.lines) lines.set(line, Math.max(lines.get(line) ?? 0, hits));
  }
  return { path, ...sumLines(lines), lines };
}
