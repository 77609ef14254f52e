import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { TestReport } from '../../domain/entities/test-report.ts';

const MOST_FOLDERS = 20_000;
const NOT_SEARCHED = /^(?:\.|node_modules$|target$|vendor$)/;

/**
 * Makes file paths of Rust tests relative to the tree. Cargo gives them relative to the package, of which there are
 * several.
 */
export function locateCargoTests(root: string): (report: TestReport) => TestReport {
  let packages: string[] | undefined;
  const locate = (file: string): string => {
    if (existsSync(join(root, file))) return file;
    packages ??= findPackages(root);
    const found = packages
      .map((folder) => posix.join(folder, file))
      .filter((path) => existsSync(join(root, path)));
    return found.length === 1 ? (found[0] ?? file) : file;
  };
  return (report) =>
    report.runner === 'cargo test'
      ? {
          ...report,
          tests: report.tests.map((test) => (test.file ? { ...test, file: locate(test.file) } : test)),
        }
      : report;
}

function findPackages(root: string): string[] {
  const found: string[] = [];
  const waiting = [''];
  for (let seen = 0; waiting.length > 0 && seen < MOST_FOLDERS; seen += 1) {
    const folder = waiting.shift() ?? '';
    for (const entry of entriesOf(join(root, folder))) {
      if (entry.isDirectory() && !NOT_SEARCHED.test(entry.name)) waiting.push(posix.join(folder, entry.name));
      if (entry.isFile() && entry.name === 'Cargo.toml') found.push(folder);
    }
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Safe: the candidate may have removed the folder; its tests keep cargo's path.
    return [];
  }
}
