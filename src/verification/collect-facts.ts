import { join } from 'node:path';
import type { VerifyConfig } from '../config/project/verify-config.ts';
import { isJs, isShellTest, mayHoldTests } from '../domain/is-test-file.ts';
import { isTaskPlan } from '../domain/protection/project-paths.ts';
import { overlayTree, type TreeEntry, writeBlob } from '../platform/git/git-tree.ts';
import type { Repository } from '../platform/git/repository.ts';
import { architectureFacts } from './architecture-facts.ts';
import { findDoubtfulPlaces } from './changed-product/test-questions.ts';
import { findUsesOfTests } from './changed-product/uses-of-tests.ts';
import { findCoverageExclusions, readProductCode, readSources } from './changed-sources.ts';
import { compareTrees, type TreeComparison } from './compare-trees.ts';
import { changedLines } from './coverage/changed-lines.ts';
import { findExclusionComments, treeWithoutExclusions } from './coverage/exclusion-comments.ts';
import { workingDigest } from './definition/acceptances.ts';
import type { Definition } from './definition/load-definition.ts';
import type { Facts, TestRun, UnnamedSuite } from './facts.ts';
import { needsNewTestsOnBase } from './gates/new-tests-bite-gate.ts';
import { findHarnessChanges, type HarnessRequest } from './harness/find-harness-changes.ts';
import { packagesWithOwnScripts } from './packages/packages-with-own-scripts.ts';
import { withNewPackages } from './packages/with-new-packages.ts';
import { ensureSetup } from './runs/ensure-setup.ts';
import { runBaseTests } from './runs/run-base-tests.ts';
import type { RunTree } from './runs/run-context.ts';
import { runOnCandidate, type SharedRuns } from './runs/run-on-candidate.ts';
import { findTestRun, limitedBy, runTests } from './runs/run-tests.ts';
import { compareTestFiles } from './test-files/compare-test-files.ts';
import { namedExamples } from './test-files/in-source/python-examples.ts';
import { namedRustExamples } from './test-files/in-source/rust-examples.ts';
import type { TestFile } from './test-files/match-tests.ts';
import { findAssertionlessTests, findTestScripts } from './test-files/read-test-cases.ts';
import { type AlteredFile, alterationOf, findAlteredFiles } from './test-side/altered-tests.ts';
import { findChangedJudges } from './test-side/changed-judges.ts';
import { findDependents } from './test-side/find-dependents.ts';
import { findTestSide, findTypeTests, isTestSide, type TestSide } from './test-side/find-test-side.ts';
import { findUnusedImports } from './test-side/find-unused-imports.ts';
import { readFiles } from './test-side/read-files.ts';
import { readHelpers } from './test-side/read-helpers.ts';
import { testsBesideCode } from './test-side/tests-beside-code.ts';
import { runWithFailure } from './unnamed-tests/run-with-failure.ts';
import { asOneTest, isUnnamed } from './unnamed-tests/unnamed-suite.ts';

export type { SharedRuns } from './runs/run-on-candidate.ts';

export interface FactsRequest extends HarnessRequest {
  definition: Definition;
  baseTree: string;
  freshBase: boolean;
  redBaseAccepted?: boolean;
  shared?: SharedRuns;
}

/** Runs the base if its results are unknown, then the candidate, and collects the facts for the gates. */
export async function collectFacts(request: FactsRequest): Promise<Facts> {
  const { context, definition, verify, tree, baseTree } = request;
  const { repository } = context;
  const comparison = await compareTrees(repository, baseTree, tree);
  const { changes, diff, entries } = comparison;
  const changed = withoutLinks(changedLines(diff), entries);
  const changedHarness = await findHarnessChanges(
    request,
    changes,
    entries.map(({ path }) => path),
  );
  const product = readProductCode(context.workspace.folder, comparison, changed, verify.coverage);
  const sources = readSources(context.workspace.folder, changed, product);
  const isAccepted = (path: string) =>
    request.acceptances.has(path, workingDigest(join(repository.root, path)));
  const uses = await findUsesOfTests(repository, comparison, baseTree);
  const harness = [...changedHarness, ...uses.map((use) => ({ ...use, accepted: isAccepted(use.path) }))];
  const coverageExclusions = findCoverageExclusions(request, sources, changed, isAccepted);
  const comments = findExclusionComments(sources, changed, isAccepted);
  const doubtful = await findDoubtfulPlaces(repository, comparison, { tree, sources, changed, isAccepted });
  const side = await findTestSide(
    repository,
    { tree: baseTree, entries: comparison.baseEntries },
    { tree, entries },
    changes,
  );
  const beside = await testsBesideCode(repository, comparison, baseTree, verify.tests?.command ?? '');
  const scripts = [...side.added, ...side.modified, ...side.deleted].filter((path) => !isTestSide(path));
  const others = [...scripts, ...beside.withBlocks].filter(isJs);
  const losses = await findLosses(repository, comparison, { others, unclear: beside.unclear }, definition);
  const architecture = await architectureFacts(repository, comparison, definition.config.architecture);
  const altered = await findAltered(request, comparison, side, beside.onBase);
  const runs = verify.tests
    ? await runOnBase(request, comparison, verify.tests, side, { ...altered, beside: beside.onBase })
    : {};
  const treeFiles = new Set(entries.map(({ path }) => path));
  const coverageContext = {
    changed,
    treeFiles,
    sourceOf: (path: string) => sources.get(path),
    whyLeftOut: product.whyLeftOut,
    isStarted: product.isStarted,
    mayFail: request.redBaseAccepted === true,
    onlyOwnFiles: verify.coverage ? await packagesWithOwnScripts(repository, comparison) : [],
    withoutExclusions: verify.coverage && (await treeWithoutExclusions(repository, tree, entries, comments)),
  };
  const onCandidate = await withNewPackages(repository, verify, { baseTree, tree, changes });
  const ran = await runOnCandidate({ ...request, verify: onCandidate }, coverageContext);
  const { tests } = verify;
  const unnamed = tests && (await findUnnamed(request, comparison, tests, side, { ...runs, ...ran }));
  const { base, baseWithNewTests, candidate } = namedRuns({ ...runs, ...ran }, unnamed);
  const asked = { ...comparison, repository, side };
  const testsWithoutNewNames =
    baseWithNewTests && candidate
      ? await findUnusedImports({ ...asked, onBase: baseWithNewTests, candidate })
      : undefined;
  const baseTests =
    tests && base && candidate
      ? await runBaseTests({
          ...request,
          ...comparison,
          side,
          beside: beside.onCandidate,
          judges: await findChangedJudges(repository, comparison, baseTree, side, beside.onCandidate),
          base,
          candidate,
          isUnaltered: (test) => alterationOf(test, altered.files) === 'none',
          run: async (on, select, again) => {
            const limited = limitedBy(tests, [candidate, base]);
            const run = await runOrReuse({ ...request, ...again }, limited, on, unnamed ? undefined : select);
            return unnamed && typeof run === 'object' ? asOneTest(run, unnamed.command) : run;
          },
        })
      : undefined;
  return {
    rules: definition.rules,
    ...ran,
    candidate,
    unnamed,
    base,
    redBaseAccepted: request.redBaseAccepted === true,
    baseNotRun: runs.baseNotRun,
    baseWithNewTests,
    testsWithoutNewNames,
    baseTests,
    coverageExclusions,
    exclusionComments: comments.places,
    ...doubtful,
    changes: changes.filter(({ path }) => !isTaskPlan(path)),
    alteredTests: altered.files,
    testFiles: [...side.added, ...side.modified],
    unchangedTestFiles: unchangedFiles(comparison, base),
    harness,
    losses: [...losses.found, ...beside.changedExamples],
    assertionlessTestFiles: losses.assertionless,
    testScripts: losses.scripts,
    architecture,
  };
}

/** A link's content is its target, which never runs, whatever the link's name. */
function withoutLinks<Lines>(
  changed: ReadonlyMap<string, Lines>,
  entries: readonly TreeEntry[],
): Map<string, Lines> {
  const links = new Set(entries.filter(({ mode }) => !mode.startsWith('100')).map(({ path }) => path));
  return new Map([...changed].filter(([path]) => !links.has(path)));
}

/** The files of a run's tests that are the same on the base and in the candidate. */
function unchangedFiles(
  { entries, baseEntries }: TreeComparison,
  run: TestRun | undefined,
): ReadonlySet<string> {
  const files = new Set(run?.results.flatMap(({ file }) => file ?? []));
  const idOf = ({ path, mode, object }: TreeEntry) => `${mode} ${object} ${path}`;
  const before = new Set(baseEntries.filter(({ path }) => files.has(path)).map(idOf));
  return new Set(entries.filter((entry) => before.has(idOf(entry))).map(({ path }) => path));
}

async function findLosses(
  repository: Repository,
  { changes, entries, baseEntries, renames }: TreeComparison,
  { others, unclear }: { others: readonly string[]; unclear: readonly string[] },
  { rules }: Definition,
): Promise<{ found: Facts['losses']; assertionless: string[]; scripts: string[] }> {
  const paths = new Set(
    changes.filter(({ path }) => mayHoldTests(path) || isShellTest(path)).map(({ path }) => path),
  );
  for (const path of others) paths.add(path);
  const now = await readFiles(repository, entries, paths);
  const before = await readFiles(repository, baseEntries, paths);
  const compare = (helpers: readonly TestFile[]) =>
    compareTestFiles(before, now, { renames, removesTests: rules.removesTests, unclear, helpers });
  const alone = compare([]);
  const isEmptied = alone.some(({ type }) => type === 'emptied');
  const found = isEmptied ? compare(await readHelpers(repository, entries, now)) : alone;
  return { found, assertionless: findAssertionlessTests(now), scripts: findTestScripts(now) };
}

/** The entries with other content for some files. */
async function withTexts(
  repository: Repository,
  entries: readonly TreeEntry[],
  files: readonly TestFile[],
): Promise<readonly TreeEntry[]> {
  const objects = new Map<string, string>();
  for (const { path, text } of files) objects.set(path, await writeBlob(repository, text));
  return entries.map((entry) => ({ ...entry, object: objects.get(entry.path) ?? entry.object }));
}

/** Test files of the candidate with new or altered tests; `select` lists those to run on the base. */
async function findAltered(
  { context: { repository }, tree }: FactsRequest,
  { entries, baseEntries }: TreeComparison,
  side: TestSide,
  beside: readonly TestFile[],
): Promise<{ files: AlteredFile[]; select: string[] | undefined }> {
  const touched = [...side.added, ...side.modified];
  const { tests, seen, helpers } = await findDependents(repository, tree, entries, touched);
  const paths = new Set([...seen, ...touched.filter((path) => mayHoldTests(path))]);
  const after = [...(await readFiles(repository, entries, paths)), ...beside];
  for (const { path } of beside) paths.add(path);
  const before = new Map((await readFiles(repository, baseEntries, paths)).map((file) => [file.path, file]));
  const files = findAlteredFiles(before, after, [...side.modified, ...helpers]);
  const isKnown = beside.length === 0 && touched.every((path) => tests.get(path) !== undefined);
  return { files, select: isKnown && files.length > 0 ? files.map(({ file }) => file) : undefined };
}

type Runs = Partial<Pick<Facts, 'base' | 'baseWithNewTests' | 'candidate'>>;

/** The suite as one test, if no runner reports a name and the command passes on the base and on the candidate. */
async function findUnnamed(
  request: FactsRequest,
  { entries }: TreeComparison,
  tests: NonNullable<VerifyConfig['tests']>,
  side: TestSide,
  { base, candidate }: Runs,
): Promise<UnnamedSuite | undefined> {
  const passes = (run: TestRun | undefined) => run && isUnnamed(run) && run.evidence.exit === 0;
  if (!passes(base) || !passes(candidate)) return undefined;
  const probe = await runWithFailure({
    repository: request.context.repository,
    tree: request.tree,
    entries,
    side,
    run: (on) => runOrReuse(request, limitedBy(tests, [candidate]), on),
  });
  return { command: tests.command, probe };
}

function namedRuns({ base, baseWithNewTests, candidate }: Runs, unnamed: UnnamedSuite | undefined): Runs {
  if (unnamed === undefined) return { base, baseWithNewTests, candidate };
  const { command } = unnamed;
  return {
    base: base && asOneTest(base, command),
    baseWithNewTests: baseWithNewTests && asOneTest(baseWithNewTests, command, { failing: true }),
    candidate: candidate && asOneTest(candidate, command),
  };
}

/** A new run on a tree or an earlier equal one; a string is the reason why none was possible. */
async function runOrReuse(
  request: FactsRequest,
  tests: NonNullable<VerifyConfig['tests']>,
  on: RunTree,
  select?: readonly string[],
): Promise<TestRun | string> {
  const { context, verify, freshBase } = request;
  const options = { select, setup: verify.setup };
  const known = freshBase ? undefined : findTestRun(context, tests, on, options);
  if (known) return known;
  const setup = await ensureSetup(context, verify.setup, on);
  if (!setup.ready) return setup.why;
  const run = await runTests(context, tests, on, options);
  // A runner that found nothing with a selection may look up files differently.
  const isPlaced = run.faults.some(({ file, package: home }) => file !== undefined || home !== undefined);
  if (select === undefined || run.results.length > 0 || isPlaced || run.evidence.timed_out) return run;
  return runOrReuse(request, tests, on);
}

async function runOnBase(
  request: FactsRequest,
  { entries, changes }: TreeComparison,
  tests: NonNullable<VerifyConfig['tests']>,
  side: TestSide,
  { select, beside }: { select: readonly string[] | undefined; beside: readonly TestFile[] },
): Promise<Partial<Pick<Facts, 'base' | 'baseNotRun' | 'baseWithNewTests'>>> {
  const { context, baseTree, definition } = request;
  const base = await runOrReuse(request, tests, { tree: baseTree, is: 'base' });
  if (typeof base === 'string') return { baseNotRun: base };
  const added = [...side.added, ...side.modified, ...beside.map(({ path }) => path)];
  const overlay = added.length > 0 ? added : findTypeTests(changes);
  if (overlay.length === 0 || !needsNewTestsOnBase(definition.rules)) return { base };
  // A moved test would otherwise exist twice, which Go does not compile: every new test would seem to fail there.
  const gone = side.deleted.filter((path) => mayHoldTests(path));
  const source = await withTexts(context.repository, entries, beside);
  const withTests = await overlayTree(context.repository, baseTree, source, [...overlay, ...gone]);
  const run = await runOrReuse(
    request,
    limitedBy(tests, [base]),
    { tree: withTests, is: 'base_with_new_tests' },
    // Nothing can limit it.
    isUnnamed(base) ? undefined : select,
  );
  if (typeof run === 'string') return { base };
  return { base, baseWithNewTests: { ...run, results: namedRustExamples(namedExamples(run.results)) } };
}
