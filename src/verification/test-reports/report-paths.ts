import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestReport } from '../../domain/entities/test-report.ts';

/** Makes the paths of a report relative to its tree; paths elsewhere stay unchanged. */
export function relativeTo(root: string): (report: TestReport) => TestReport {
  const roots = [...new Set([resolve(root), realRoot(root)])];
  const shorten = <Part extends { file?: string }>(part: Part): Part =>
    part.file === undefined ? part : { ...part, file: shortened(part.file, roots) };
  return (report) => ({
    ...report,
    tests: report.tests.map(shorten),
    faults: report.faults.map((fault) => {
      const { places, ...others } = shorten(fault);
      return places === undefined ? others : { ...others, places: places.map(shorten) };
    }),
  });
}

function shortened(file: string, roots: readonly string[]): string {
  const path = file.startsWith('file://') ? pathOfUrl(file) : file;
  if (path.startsWith('file://')) return path;
  if (!isAbsolute(path)) return normalize(path).split(sep).join('/');
  for (const root of roots) {
    const inside = relative(root, path);
    if (isBelow(inside)) return inside.split(sep).join('/');
  }
  return path;
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    // Safe: a malformed URL names no file, so it stays unchanged.
    return url;
  }
}

function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    // Safe: the candidate may have removed its own tree; its paths are then compared as written.
    return resolve(root);
  }
}

function isBelow(path: string): boolean {
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

const OUTPUT = /^\.?(?:out|dist|build|built|lib|target|compiled|tmp|temp|es|esm|cjs)(?:[-_.]\w+)?$/;
const ENDINGS = new Map([
  ['.js', ['.ts', '.tsx']],
  ['.mjs', ['.mts']],
  ['.cjs', ['.cts']],
  ['.jsx', ['.tsx']],
]);
const MOST_FORMAT_FOLDERS = 2;
const SOURCES = ['', 'src/', 'source/', 'lib/'];

/**
 * Gives compiled tests the path of their TypeScript source: `out/tests/a.spec.js` is built from `src/tests/a.spec.ts`.
 * Otherwise nothing would connect a changed test file with its results.
 */
export function locateBuiltTests(root: string): (report: TestReport) => TestReport {
  const known = new Map<string, string>();
  const sourceOf = (file: string): string => {
    const found = known.get(file) ?? findSource(root, file) ?? file;
    known.set(file, found);
    return found;
  };
  const moved = <Part extends { file?: string }>(part: Part): Part =>
    part.file === undefined ? part : { ...part, file: sourceOf(part.file) };
  return (report) => ({ ...report, tests: report.tests.map(moved), faults: report.faults.map(moved) });
}

function findSource(root: string, file: string): string | undefined {
  const [, stem = '', ending = ''] = /^(.*)(\.[cm]?jsx?)$/.exec(file) ?? [];
  const parts = stem.split('/');
  const endings = ENDINGS.get(ending);
  if (endings === undefined || parts.includes('..') || parts.includes('node_modules')) return undefined;
  // The output folder may be below a package's folder, and have folders for several formats.
  for (const [at, folder] of parts.slice(0, -1).entries()) {
    if (!OUTPUT.test(folder)) continue;
    const before = parts
      .slice(0, at)
      .map((part) => `${part}/`)
      .join('');
    // `lib/umd/test/a.js`: folders for formats may have any name.
    for (let from = at + 1; from <= at + MOST_FORMAT_FOLDERS + 1 && from < parts.length; from += 1) {
      const after = parts.slice(from).join('/');
      for (const source of SOURCES)
        for (const one of endings) {
          const path = `${before}${source}${after}${one}`;
          if (path !== file && existsSync(join(root, path))) return path;
        }
    }
  }
  return undefined;
}
