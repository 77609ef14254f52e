import type { TreeEntry } from '../../platform/git/git-tree.ts';
import type { TestRun } from '../facts.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import type { compareBaseTests } from '../test-side/compare-base-tests.ts';
import type { Dependents } from '../test-side/find-dependents.ts';
import { namesNeeding } from '../test-side/names-needing.ts';
import { readFiles } from '../test-side/read-files.ts';
import type { RunContext } from './run-context.ts';

/** A test needs a removed name too if it names what needs it in a helper, or if that acts on all tests. */
export async function spreadRemoved(
  { context, base, baseEntries }: { context: RunContext; base: TestRun; baseEntries: readonly TreeEntry[] },
  removedNames: ReadonlyMap<string, ReadonlySet<string>>,
  { tests, helpers, seen }: Dependents,
  files: readonly TestFile[],
): Promise<Pick<Parameters<typeof compareBaseTests>[0], 'files' | 'removedNames' | 'withoutHelpers'>> {
  const concerned = new Set<string>();
  let everything = false;
  const ofHelpers = [...removedNames].filter(([path]) => !seen.has(path));
  for (const [helper] of ofHelpers) {
    const users = tests.get(helper);
    if (users === undefined) everything = true;
    for (const user of users ?? []) concerned.add(user);
  }
  const texts = await textsOf(context, baseEntries, helpers);
  const names = namesNeeding(
    texts,
    ofHelpers.flatMap(([, gone]) => [...gone]),
  );
  if (names === undefined)
    return { files, removedNames, withoutHelpers: (file) => everything || concerned.has(file) };
  const all = everything ? base.results.flatMap(({ file }) => file ?? []) : [...concerned];
  const further = await textsOf(context, baseEntries, new Set(all));
  const spread = new Map(removedNames);
  for (const file of all) spread.set(file, new Set([...(removedNames.get(file) ?? []), ...names]));
  return { files: [...files, ...further], removedNames: spread, withoutHelpers: () => false };
}

/** Without links. */
export function textsOf(
  { repository }: RunContext,
  entries: readonly TreeEntry[],
  wanted: ReadonlySet<string>,
): Promise<TestFile[]> {
  const plain = entries.filter(({ mode }) => mode.startsWith('100'));
  return readFiles(repository, plain, wanted);
}
