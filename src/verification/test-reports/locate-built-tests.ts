import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestReport } from '../../domain/entities/test-report.ts';

const OUTPUT = /^\.?(?:out|dist|build|built|lib|target|compiled|tmp|temp|es|esm|cjs)(?:[-_.]\w+)?$/;
const ENDINGS = new Map([
  ['.js', ['.ts', '.tsx']],
  ['.mjs', ['.mts']],
  ['.cjs', ['.cts']],
  ['.jsx', ['.tsx']],
]);
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
    const after = parts.slice(at + 1).join('/');
    for (const source of SOURCES)
      for (const one of endings) {
        const path = `${before}${source}${after}${one}`;
        if (path !== file && existsSync(join(root, path))) return path;
      }
  }
  return undefined;
}
