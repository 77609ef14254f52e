import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyConfig } from '../config/project/verify-config.ts';
import type { TreeComparison } from './compare-trees.ts';
import { findExclusions, findReportNames } from './coverage/coverage-exclusions.ts';
import { findProductCode, type ProductCode } from './coverage/product-code.ts';
import { isSource } from './coverage/source-language.ts';
import { type Acceptances, contentDigest } from './definition/acceptances.ts';
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
  {
    context: { repository, workspace },
    verify,
    acceptances,
  }: { context: RunContext; verify: VerifyConfig; acceptances: Acceptances },
  sources: ReadonlyMap<string, string>,
  changed: ReadonlyMap<string, ReadonlySet<number>>,
): string[] {
  const reports = verify.coverage ? reportPlaces(verify.coverage) : [];
  return [...changed].flatMap(([path, numbers]) => {
    const source = sources.get(path);
    const text = source ?? readSmallFile(join(workspace.folder, path));
    const lines = [
      ...(source === undefined ? [] : findExclusions(source, numbers)),
      ...findReportNames(path, text ?? '', numbers, reports),
    ];
    if (lines.length === 0 || acceptances.has(path, contentDigest(join(repository.root, path)))) return [];
    return lines.map((line) => `${path}:${line}`);
  });
}
