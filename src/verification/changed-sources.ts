import { lstatSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { VerifyConfig } from '../config/project/verify-config.ts';
import type { TreeComparison } from './compare-trees.ts';
import { findProductCode, type ProductCode } from './coverage/product-code.ts';
import { isSource, languageOf } from './coverage/source-language.ts';
import type { RunContext } from './runs/run-context.ts';
import { reportPlaces } from './runs/run-coverage.ts';

/** Larger files are data. */
const MAX_SOURCE_BYTES = 2 * 1024 * 1024;

type ChangedLines = ReadonlyMap<string, ReadonlySet<number>>;

/** Determines the product code of the tree. Call before any command runs in the workspace. */
export function readProductCode(
  root: string,
  { entries, baseEntries }: Pick<TreeComparison, 'entries' | 'baseEntries'>,
  changed: ChangedLines,
  coverage: VerifyConfig['coverage'],
): ProductCode {
  return findProductCode({
    files: new Set(entries.map(({ path }) => path)),
    baseFiles: new Set(baseEntries.map(({ path }) => path)),
    changed,
    readText: (path) => readSmallFile(join(root, path)),
    ...(coverage?.include ? { include: coverage.include } : {}),
    ...(coverage?.exclude ? { exclude: coverage.exclude } : {}),
  });
}

/** The changed product code. Call before any command runs: commands may change the files. */
export function readSources(root: string, changed: ChangedLines, product: ProductCode): Map<string, string> {
  const sources = new Map<string, string>();
  for (const path of changed.keys()) {
    if (!isSource(path) || product.whyLeftOut(path) !== undefined) continue;
    const text = readSmallFile(join(root, path));
    if (text !== undefined) sources.set(path, text);
  }
  return sources;
}

function readSmallFile(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= MAX_SOURCE_BYTES ? readFileSync(file, 'utf8') : undefined;
}

/** Places, as `file:line`, where the change excludes lines from coverage; without files that a person accepted. */
export function findCoverageExclusions(
  { context: { workspace }, verify }: { context: RunContext; verify: VerifyConfig },
  sources: ReadonlyMap<string, string>,
  changed: ReadonlyMap<string, ReadonlySet<number>>,
  isAccepted: (path: string) => boolean,
): string[] {
  const reports = verify.coverage ? reportPlaces(verify.coverage) : [];
  return [...changed].flatMap(([path, numbers]) => {
    const source = sources.get(path);
    const text = source ?? readSmallFile(join(workspace.folder, path));
    const lines = [
      ...(source === undefined ? [] : findExclusions(source, numbers)),
      ...findReportNames(path, text ?? '', numbers, reports),
    ];
    if (lines.length === 0 || isAccepted(path)) return [];
    return lines.map((line) => `${path}:${line}`);
  });
}

/**
 * Ways in which a source file is excluded from coverage: an attribute, a source map that moves its lines, or the name of
 * a test file, which is not measured, while other code uses it. Comments are dealt with elsewhere: they can be taken out.
 */
const EXCLUSION =
  /#\[coverage\(off\)\]|tarpaulin_include|ExcludeFromCodeCoverage|sourceMappingURL=|(?:\bfrom|\bimport|\brequire)\s{0,10}\(?\s{0,10}['"`][^'"`\n]{0,200}[./_-](?:test|spec|e2e|cy)(?:\.[cm]?[jt]sx?)?['"`]/i;

/** Changed lines that exclude code from coverage. */
function findExclusions(text: string, changed: ReadonlySet<number>): number[] {
  const lines = text.split('\n');
  return [...changed].filter((number) => EXCLUSION.test(lines[number - 1] ?? '')).sort((a, b) => a - b);
}

const CODE = new Set(['javascript', 'python', 'jvm', 'c', 'go', 'rs', 'rb', 'php', 'sh', 'cs']);

/**
 * Changed lines of a program that name the coverage report. Tests run where the report is written, so one that names it
 * can replace the tool's report with its own.
 */
function findReportNames(
  path: string,
  text: string,
  changed: ReadonlySet<number>,
  reports: readonly string[],
): number[] {
  if (!CODE.has(languageOf(path) ?? '')) return [];
  const names = reports.map((report) => basename(report)).filter((name) => text.includes(name));
  if (names.length === 0) return [];
  const lines = text.split('\n');
  return [...changed]
    .filter((number) => names.some((name) => lines[number - 1]?.includes(name)))
    .sort((a, b) => a - b);
}
