import type { TestResult } from '../../domain/entities/test-report.ts';
import { findAlteredCases } from '../test-files/find-altered-cases.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import { findCase } from '../test-files/match-tests.ts';
import type { TestCase } from '../test-files/test-case.ts';

/** A test file of the candidate with new or altered tests. */
export interface AlteredFile {
  file: string;
  /** Undefined if it is unknown which: all of them count. */
  cases: { altered: readonly TestCase[]; unaltered: readonly TestCase[] } | undefined;
  /** The file itself is unchanged; helpers or fixtures that it uses changed. */
  throughHelpers: boolean;
}

/** How the change alters a test: not at all, in its own file, or only through code that it uses. */
export function alterationOf(
  { file, name }: Pick<TestResult, 'file' | 'name'>,
  files: readonly AlteredFile[],
): 'none' | 'own' | 'helpers' {
  for (const one of files) {
    if (file !== undefined && one.file !== file) continue;
    if (one.cases === undefined) {
      if (file === undefined) continue;
      return one.throughHelpers ? 'helpers' : 'own';
    }
    const { altered, unaltered } = one.cases;
    const found = findCase(name, [...altered, ...unaltered]);
    // Results without a file are matched by name only.
    const isAltered = found === undefined ? file !== undefined : altered.includes(found);
    if (isAltered) return one.throughHelpers ? 'helpers' : 'own';
  }
  return 'none';
}

/** Finds altered tests in changed test files and in those that use changed helpers or fixtures. */
export function findAlteredFiles(
  before: ReadonlyMap<string, TestFile>,
  after: readonly TestFile[],
  changedFiles: readonly string[],
): AlteredFile[] {
  return after.flatMap((file): AlteredFile[] => {
    const old = before.get(file.path);
    const cases = findAlteredCases(old, file, changedFiles);
    if (cases !== undefined && cases.altered.length === 0) return [];
    return [{ file: file.path, cases, throughHelpers: old !== undefined && old.text === file.text }];
  });
}
