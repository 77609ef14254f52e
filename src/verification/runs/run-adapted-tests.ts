import { posix } from 'node:path';
import type { TestResult } from '../../domain/entities/test-report.ts';
import type { TestRun } from '../facts.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import type { BaseTestsComparison } from '../test-side/compare-base-tests.ts';
import { keyInFile } from '../test-side/stable-name.ts';
import { runWithoutBroken, type Surroundings } from './run-without-broken.ts';

type Changed = BaseTestsComparison['changed'][number];

interface Adaptation extends Omit<Surroundings, 'run' | 'nowOf'> {
  tree: string;
  changed: readonly Changed[];
  /** The change's test files. */
  now: readonly TestFile[];
  renames: ReadonlyMap<string, string>;
  isUnaltered(test: Pick<TestResult, 'name' | 'file'>): boolean;
  /** Runs the tests of these files, or all. */
  run(tree: string, files: readonly string[] | undefined): Promise<TestRun | string>;
}

/**
 * Runs altered tests of Go and Rust that cannot run in their base version again, with only as much of their new version as
 * they need to compile. One that fails there was changed beyond that. One that passes is still not comparable: the part
 * may contain its expectations.
 */
export async function runAdaptedTests({
  tree,
  changed,
  now,
  renames,
  isUnaltered,
  run,
  ...surroundings
}: Adaptation): Promise<Changed[]> {
  const isOpen = (one: Changed) =>
    one.outcome === 'not-comparable' && !isUnaltered(one) && /\.(?:go|rs)$/.test(one.file ?? '.rs');
  const open = changed.filter(isOpen);
  const code = now.filter(({ path }) => /\.(?:go|rs)$/.test(path));
  if (open.length === 0 || code.length === 0) return [...changed];
  const files = open.every(({ file }) => file !== undefined)
    ? [...new Set(open.flatMap(({ file }) => file ?? []))]
    : undefined;
  const ran = await runWithoutBroken(tree, {
    ...surroundings,
    nowOf: (file) => versionsOf(file, code, renames),
    run: (on) => run(on, files),
  });
  if (typeof ran === 'string') return [...changed];
  const failed = new Map(
    ran.run.results.filter(({ status }) => status === 'failed').map((test) => [keyInFile(test), test]),
  );
  return changed.map((one) => {
    const test = isOpen(one) ? failed.get(keyInFile(one)) : undefined;
    return test ? { ...one, outcome: 'fails', message: test.message ?? 'it failed' } : one;
  });
}

/** The new version of a file first. In Go, declarations may have moved to another file of the package. */
function versionsOf(
  file: string,
  now: readonly TestFile[],
  renames: ReadonlyMap<string, string>,
): TestFile[] {
  const places = [file, renames.get(file)];
  const own = now.filter(({ path }) => places.includes(path));
  const folders = places.flatMap((place) => (place?.endsWith('.go') ? posix.dirname(place) : []));
  return [...own, ...now.filter((one) => !own.includes(one) && folders.includes(posix.dirname(one.path)))];
}
