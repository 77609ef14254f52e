import { realpathSync } from 'node:fs';
import { isAbsolute, normalize, relative, resolve, sep } from 'node:path';
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
    faults: report.faults.map(shorten),
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
