import type { CoverageReport, FileCoverage } from '../../domain/coverage-report.ts';
import type { RootedCoverageReport } from './cobertura.ts';
import { sumLines } from './line-collector.ts';
import { isAbsolutePath, reportPath } from './report-path.ts';

export interface ResolvedCoverage {
  /** Its paths are those of the tree. */
  report: CoverageReport;
  /** Paths of the report that are no file of the tree, or of which it cannot be said which one. */
  unmatched: string[];
}

/** How surely a path was found: as it is, or by so many of its last parts. */
interface Match {
  path: string;
  parts: number;
}

/**
 * Maps the paths of a report to files of the tree. Runners write them absolute, relative to the folder they ran in, or
 * with the module's name before them; what could be two files is none.
 */
export function resolveCoveragePaths(
  report: RootedCoverageReport,
  root: string,
  treeFiles: ReadonlySet<string>,
): ResolvedCoverage {
  const finder = new TreeFinder(reportPath(root), treeFiles, report.roots ?? []);
  const found = new Map<string, { parts: number; files: FileCoverage[] }>();
  const unmatched: string[] = [];
  for (const file of report.files) {
    const match = finder.find(file.path);
    const known = match && found.get(match.path);
    if (!match) unmatched.push(file.path);
    else if (!known || known.parts < match.parts) {
      if (known) unmatched.push(...known.files.map(({ path }) => path));
      found.set(match.path, { parts: match.parts, files: [file] });
    } else if (known.parts > match.parts) unmatched.push(file.path);
    else known.files.push(file);
  }
  const files: FileCoverage[] = [];
  for (const [path, { parts, files: same }] of found) {
    // Two files that end alike, of which neither is named in full, are not the same file.
    const merged = same.length > 1 && parts !== EXACT ? undefined : merge(path, same);
    if (merged) files.push(merged);
    else unmatched.push(...same.map((file) => file.path));
  }
  return { report: { format: report.format, files }, unmatched };
}

const EXACT = Number.POSITIVE_INFINITY;

class TreeFinder {
  readonly #root: string;
  readonly #files: ReadonlySet<string>;
  readonly #roots: readonly string[];
  #byName: Map<string, string[]> | undefined;

  constructor(root: string, files: ReadonlySet<string>, roots: readonly string[]) {
    this.#root = root === '/' ? root : `${root}/`;
    this.#files = files;
    this.#roots = roots;
  }

  find(given: string): Match | undefined {
    if (isAbsolutePath(given)) return this.#exact(given);
    const rooted = this.#roots.map((root) => this.#exact(reportPath(`${root}/${given}`)));
    const certain = new Map(rooted.flatMap((match) => (match ? [[match.path, match]] : [])));
    if (certain.size > 0) return certain.size === 1 ? [...certain.values()][0] : undefined;
    return this.#exact(given) ?? this.#bySuffix(given);
  }

  #exact(path: string): Match | undefined {
    const relative = path.startsWith(this.#root) ? path.slice(this.#root.length) : path;
    return this.#files.has(relative) ? { path: relative, parts: EXACT } : undefined;
  }

  /** The tree's file that shares most last parts with the path, if one of the two ends with the whole other. */
  #bySuffix(given: string): Match | undefined {
    const parts = given.split('/').filter((part) => part !== '..');
    const whole = parts.join('/');
    const longer = this.#named(parts.at(-1) ?? '').filter((path) => path.endsWith(`/${whole}`));
    if (longer.length > 0) {
      const [path = ''] = longer;
      return longer.length === 1 ? { path, parts: parts.length } : undefined;
    }
    for (let skip = given.startsWith('../') ? 0 : 1; skip < parts.length; skip++) {
      const path = parts.slice(skip).join('/');
      if (this.#files.has(path)) return { path, parts: parts.length - skip };
    }
    return undefined;
  }

  #named(name: string): string[] {
    if (!this.#byName) {
      this.#byName = new Map();
      for (const file of this.#files) {
        const key = file.slice(file.lastIndexOf('/') + 1);
        const same = this.#byName.get(key);
        if (same) same.push(file);
        else this.#byName.set(key, [file]);
      }
    }
    return this.#byName.get(name) ?? [];
  }
}

/** Sums of the same file cannot be added up, so that two of them must be equal. */
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
