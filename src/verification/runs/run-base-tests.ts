import { join } from 'node:path';
import type { TestResult } from '../../domain/entities/test-report.ts';
import type { PathChange, TreeEntry } from '../../platform/git/git-tree.ts';
import { type Acceptances, workingDigest } from '../definition/acceptances.ts';
import type { BaseTestsRun, ChangedTest, TestRun } from '../facts.ts';
import { isInTestBlock } from '../test-files/in-source/test-blocks.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import { findCase } from '../test-files/match-tests.ts';
import { readTestCases } from '../test-files/read-test-cases.ts';
import { type BaseTestsTree, baseTestsTree } from '../test-side/base-tests-tree.ts';
import { type BaseTestsComparison, compareBaseTests, isRemoved } from '../test-side/compare-base-tests.ts';
import { type Dependents, findDependents } from '../test-side/find-dependents.ts';
import { actsByPlace, type TestSide, withDoubtful } from '../test-side/find-test-side.ts';
import { findMissing, type Missing } from '../test-side/missing-imports.ts';
import { isolatesFiles, reachingFiles } from '../test-side/reaching-files.ts';
import { findWrongTypes, type WrongType } from '../test-side/unchecked-types.ts';
import { repeatUnaltered } from './repeat-unaltered.ts';
import { runAdaptedTests } from './run-adapted-tests.ts';
import type { RunContext, RunTree } from './run-context.ts';
import { runWithoutBroken } from './run-without-broken.ts';
import { spreadRemoved, textsOf } from './spread-removed.ts';

const LONGEST_TEXT = 4000;
/** A file that loads further may miss something else. */
const MOST_ROUNDS = 3;

export interface BaseTestsRequest {
  context: RunContext;
  tree: string;
  baseTree: string;
  entries: readonly TreeEntry[];
  baseEntries: readonly TreeEntry[];
  changes: readonly PathChange[];
  renames: ReadonlyMap<string, string>;
  side: TestSide;
  /** Changed sources with the base's version of the tests in them. */
  beside: readonly TestFile[];
  /** Changed sources with the base's version of what decides whether tests fail. */
  judges: readonly TestFile[];
  base: TestRun;
  /** The candidate's own tests. */
  candidate: TestRun;
  isUnaltered(test: Pick<TestResult, 'name' | 'file'>): boolean;
  acceptances: Acceptances;
  /**
   * Runs the tests of these files, or all, on a tree; a string is the reason why that was not possible. `freshBase`: also if
   * an equal run is known.
   */
  run(
    on: RunTree,
    select: readonly string[] | undefined,
    options?: { freshBase: true },
  ): Promise<TestRun | string>;
}

/**
 * Runs the base's version of the tests, with its helpers and fixtures, against the candidate. Undefined if the change
 * alters none of them: the candidate's tests are then the base's. Doubtful files are taken once from the candidate, as
 * product code, and once from the base, as helpers: the tests have to pass both times. So do they with the base's judges.
 */
export async function runBaseTests(request: BaseTestsRequest): Promise<BaseTestsRun | undefined> {
  const withoutJudges = await runDoubtful(request);
  if (request.judges.length === 0 || withoutJudges?.ran === false) return withoutJudges;
  const replaced = new Set(request.judges.map(({ path }) => path));
  const beside = [...request.beside.filter(({ path }) => !replaced.has(path)), ...request.judges];
  const withJudges = await runBaseVersions({ ...request, beside });
  if (!withJudges?.ran) return withoutJudges;
  // They may need something of the base: then they decide nothing.
  const changed = withJudges.changed.filter((test) => !isNotComparable(test));
  return withoutJudges === undefined
    ? { ...withJudges, changed }
    : { ...withoutJudges, changed: union(withoutJudges.changed, changed) };
}

async function runDoubtful(request: BaseTestsRequest): Promise<BaseTestsRun | undefined> {
  const asProduct = await runBaseVersions(request);
  if (request.side.doubtful.length === 0 || asProduct?.ran === false) return asProduct;
  const asHelpers = await runBaseVersions({ ...request, side: withDoubtful(request.side) });
  if (asProduct === undefined || asHelpers === undefined || !asHelpers.ran) return asHelpers ?? asProduct;
  const flaky = union(asProduct.flaky ?? [], asHelpers.flaky ?? []);
  return { ...asHelpers, changed: union(asProduct.changed, asHelpers.changed), flaky };
}

/** A test that fails once counts as failing. */
function union(one: readonly ChangedTest[], other: readonly ChangedTest[]): ChangedTest[] {
  const found = new Map<string, ChangedTest>();
  for (const test of [...one, ...other]) {
    const key = `${test.file}\0${test.name}`;
    if (found.get(key)?.outcome !== 'fails') found.set(key, test);
  }
  return [...found.values()];
}

async function runBaseVersions(request: BaseTestsRequest): Promise<BaseTestsRun | undefined> {
  const { context, baseTree, baseEntries, side, beside, base } = request;
  const reaching = new Set(await findReaching(request));
  const added = side.added.filter((path) => actsByPlace(path) || reaching.has(path));
  const ofTests = [...side.modified, ...side.deleted, ...added];
  const altered = [...ofTests, ...beside.map(({ path }) => path)];
  if (altered.length === 0) return undefined;
  const { repository } = context;
  const dependents = await findDependents(repository, baseTree, baseEntries, ofTests);
  const selected = added.length + beside.length + reaching.size > 0 ? undefined : unionOf(dependents);
  const files = await baseFiles(request, selected);
  const restored = new Set(ofTests);
  const spliced = new Map(beside.map(({ path, text }) => [path, text]));
  const isOwnCode = (file: string, line: number) =>
    !restored.has(file) && !isInTestBlock(spliced.get(file) ?? '', 'rust', line);
  const shared = { base, renames: request.renames, isOwnCode };
  const attempt = async ({ tree, removedNames, ...ofTree }: BaseTestsTree, only = selected) => {
    const ran = await runWithoutBroken(tree, {
      repository,
      baseEntries,
      restored,
      run: (on) => request.run({ tree: on, is: 'candidate_with_base_tests' }, only && [...only]),
    });
    if (typeof ran === 'string') return ran;
    const withHelpers = await spreadRemoved(request, removedNames, dependents, files);
    const { run: withBaseTests, removed } = ran;
    return {
      ...ran,
      ...compareBaseTests({ ...shared, selected: only, withBaseTests, removed, ...ofTree, ...withHelpers }),
    };
  };
  const missing: Missing[] = [];
  const wrongTypes: WrongType[] = [];
  const treeWith = (keepAdded: boolean) =>
    baseTestsTree({ ...request, repository }, { keepAdded, missing, wrongTypes });
  let plain = await treeWith(false);
  const ran = await attempt(plain);
  if (typeof ran === 'string') return { ran: false, why: ran };
  let first = ran;
  for (let round = 0; round < MOST_ROUNDS && first.changed.some(isNotComparable); round += 1) {
    const output = outputOf(first.run);
    missing.push(...findMissing(output));
    wrongTypes.push(...findWrongTypes(output));
    const next = await treeWith(false);
    if (next.tree === plain.tree) break;
    const again = await attempt(next);
    if (typeof again === 'string') break;
    plain = next;
    // Code of the change may print anything: what already failed stays so.
    first = { ...again, changed: merge(first.changed, again.changed) };
  }
  // The candidate may need a file that it adds next to the tests.
  const isStuck = side.added.length > 0 && first.changed.some(isNotComparable);
  const second = isStuck ? await attempt(await treeWith(true)) : undefined;
  const merged = typeof second === 'object' ? merge(first.changed, second.changed) : first.changed;
  // Other code of the change may not compile with the base's tests, and compilers then run none.
  const isRepeated = (one: (typeof merged)[number]) =>
    isNotComparable(one) &&
    one.file !== undefined &&
    !first.removed.some((removed) => isRemoved(one, removed));
  const stuck = new Set(merged.filter(isRepeated).flatMap(({ file }) => file ?? []));
  const third =
    selected === undefined && stuck.size > 0
      ? await attempt({ ...plain, tree: first.tree }, stuck)
      : undefined;
  const compared =
    typeof third === 'object'
      ? [...merged.filter((one) => !isRepeated(one)), ...merge(merged.filter(isRepeated), third.changed)]
      : merged;
  const now = await candidateFiles(request, compared);
  const found = await runAdaptedTests({
    ...request,
    repository,
    tree: plain.tree,
    restored,
    changed: compared,
    now,
    run: (on, only) => request.run({ tree: on, is: 'candidate_with_base_tests' }, only),
  });
  const changed = found.map((one) => describe(one, request, { dependents, altered, files, now }));
  return repeatUnaltered(
    { ran: true, run: first.run, compared: first.compared, changed },
    {
      ...request,
      repeat: (only) =>
        request.run({ tree: first.tree, is: 'candidate_with_base_tests' }, only, { freshBase: true }),
    },
  );
}

function outputOf({ faults, evidence }: TestRun): string {
  return [...faults.map(({ message }) => message), evidence.output_tail].join('\n');
}

async function findReaching(request: BaseTestsRequest): Promise<string[]> {
  const { context, entries, baseEntries, side, base } = request;
  if (!base.results.some(({ status }) => status === 'passed')) return [];
  const paths = new Set([...side.added, ...side.modified]);
  const before = await textsOf(context, baseEntries, paths);
  const isolated = isolatesFiles(base.evidence.tests?.runners ?? []);
  return reachingFiles(before, await textsOf(context, entries, paths), { isolated });
}

function isNotComparable({ outcome }: BaseTestsComparison['changed'][number]): boolean {
  return outcome === 'not-comparable';
}

/** Undefined if a changed file may affect every test. */
function unionOf({ tests }: Dependents): Set<string> | undefined {
  const all = [...tests.values()];
  return all.includes(undefined) ? undefined : new Set(all.flatMap((one) => [...(one ?? [])]));
}

/** Results of the second run count for tests that could not load in the first. */
function merge(
  first: BaseTestsComparison['changed'],
  second: BaseTestsComparison['changed'],
): BaseTestsComparison['changed'] {
  const again = new Map(second.map((one) => [`${one.file}\0${one.name}`, one]));
  return first.flatMap((one) => {
    if (one.outcome === 'fails') return [one];
    const next = again.get(`${one.file}\0${one.name}`);
    return next ? [next] : [];
  });
}

function baseFiles(
  { context, baseEntries, side, beside }: BaseTestsRequest,
  selected: ReadonlySet<string> | undefined,
): Promise<TestFile[]> {
  const own = [...side.modified, ...side.deleted, ...beside.map(({ path }) => path)];
  const wanted = new Set([...(selected ?? []), ...own]);
  return textsOf(context, baseEntries, wanted);
}

function candidateFiles(
  { context, entries, side, beside, renames }: BaseTestsRequest,
  changed: BaseTestsComparison['changed'],
): Promise<TestFile[]> {
  const own = changed.flatMap(({ file }) => (file === undefined ? [] : [file, renames.get(file) ?? file]));
  const sources = beside.map(({ path }) => path);
  return textsOf(context, entries, new Set([...own, ...side.added, ...side.modified, ...sources]));
}

function describe(
  one: BaseTestsComparison['changed'][number],
  { context, acceptances, renames }: BaseTestsRequest,
  known: {
    dependents: Dependents;
    altered: readonly string[];
    files: readonly TestFile[];
    now: readonly TestFile[];
  },
): ChangedTest {
  const { file, name } = one;
  const changedFiles = known.altered.filter((path) => {
    const users = known.dependents.tests.get(path);
    return file === undefined || users === undefined || users.has(file);
  });
  const { root } = context.repository;
  const accepted =
    changedFiles.length > 0 &&
    changedFiles.every((path) => acceptances.has(path, workingDigest(join(root, path))));
  const places = file === undefined ? [] : [file, renames.get(file) ?? file];
  const moved = known.now.filter(({ path }) => places.includes(path));
  return {
    ...one,
    changedFiles,
    accepted,
    before: textOfTest(
      name,
      known.files.filter(({ path }) => file === undefined || path === file),
    ),
    after: textOfTest(name, moved.length > 0 ? moved : known.now),
  };
}

function textOfTest(name: string, files: readonly TestFile[]): string {
  for (const { path, text } of files) {
    const found = findCase(name, readTestCases(path, text).cases);
    if (found === undefined) continue;
    const [first, last] = found.lines;
    return text
      .split('\n')
      .slice(first - 1, last)
      .join('\n')
      .slice(0, LONGEST_TEXT);
  }
  return '';
}
