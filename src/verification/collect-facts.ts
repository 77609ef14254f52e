import type { VerifyConfig } from '../config/verify-config.ts';
import { mayHoldTests } from '../domain/is-test-file.ts';
import { isTaskPlan } from '../domain/task-plans.ts';
import { overlayTree, readBlobs, type TreeEntry } from '../platform/git-tree.ts';
import type { Repository } from '../platform/repository.ts';
import { architectureFacts } from './architecture-facts.ts';
import { testSideOf } from './base-with-new-tests.ts';
import { findCoverageExclusions, readSources } from './changed-sources.ts';
import { runCheck } from './checks/run-check.ts';
import { compareTrees, type TreeComparison } from './compare-trees.ts';
import { changedLines } from './coverage/changed-lines.ts';
import type { Definition } from './definition/load-definition.ts';
import type { CheckRun, CoverageRun, Facts } from './facts.ts';
import { findAssertionlessTests } from './find-assertionless-tests.ts';
import { findHarnessChanges, type HarnessRequest } from './harness/find-harness-changes.ts';
import { ensureSetup } from './runs/ensure-setup.ts';
import { recordEvidence } from './runs/record-evidence.ts';
import type { RunContext, RunTree } from './runs/run-context.ts';
import { type CoverageGround, clearCoverageReport, readCoverage, runCoverage } from './runs/run-coverage.ts';
import { findTestRun, runTests } from './runs/run-tests.ts';
import { compareTestFiles } from './test-files/compare-test-files.ts';

/**
 * What was run on a candidate for one feature, for the others that are verified on the very same one right after it: the
 * same command would only be run again.
 */
export type SharedRuns = Map<string, unknown>;

export interface FactsRequest extends HarnessRequest {
  definition: Definition;
  baseTree: string;
  freshBase: boolean;
  redBaseAccepted?: boolean;
  shared?: SharedRuns;
}

/** Runs the base where its results are not known, then the candidate, and gathers what the gates judge on. */
export async function collectFacts(request: FactsRequest): Promise<Facts> {
  const { context, definition, verify, tree, baseTree } = request;
  const { repository } = context;
  const comparison = await compareTrees(repository, baseTree, tree);
  const { changes, diff, entries } = comparison;
  const changed = withoutLinks(changedLines(diff), entries);
  const harness = await findHarnessChanges(request, changes);
  const sources = readSources(context.room.folder, changed);
  const coverageExclusions = findCoverageExclusions(request, sources, changed);
  const losses = await findLosses(repository, comparison, definition);
  const architecture = await architectureFacts(repository, comparison, definition.config.architecture);
  const runs = verify.tests ? await runOnBase(request, comparison, verify.tests) : {};
  const treeFiles = new Set(entries.map(({ path }) => path));
  const ground = {
    changed,
    treeFiles,
    sourceOf: (path: string) => sources.get(path),
    mayFail: request.redBaseAccepted === true,
  };
  const candidate = await runOnCandidate(request, ground);
  return {
    rules: definition.rules,
    ...candidate,
    base: runs.base,
    redBaseAccepted: request.redBaseAccepted === true,
    baseNotRun: runs.baseNotRun,
    baseWithNewTests: runs.baseWithNewTests,
    coverageExclusions,
    changes: changes.filter(({ path }) => !isTaskPlan(path)),
    changedTestFiles: testSideOf(changes),
    harness,
    losses: losses.found,
    assertionlessTestFiles: losses.assertionless,
    architecture,
  };
}

/** A link's line is the place it leads to, which nothing runs, whatever the link is called. */
function withoutLinks<Lines>(
  changed: ReadonlyMap<string, Lines>,
  entries: readonly TreeEntry[],
): Map<string, Lines> {
  const links = new Set(entries.filter(({ mode }) => !mode.startsWith('100')).map(({ path }) => path));
  return new Map([...changed].filter(([path]) => !links.has(path)));
}

async function findLosses(
  repository: Repository,
  { changes, entries, baseEntries }: TreeComparison,
  { rules }: Definition,
): Promise<{ found: Facts['losses']; assertionless: string[] }> {
  const paths = new Set(changes.filter(({ path }) => mayHoldTests(path)).map(({ path }) => path));
  const isFile = ({ path, mode }: TreeEntry) => paths.has(path) && mode !== '160000';
  const [before, after] = [baseEntries.filter(isFile), entries.filter(isFile)];
  const texts = await readBlobs(
    repository,
    [...before, ...after].map(({ object }) => object),
  );
  const read = (files: readonly TreeEntry[]) =>
    files.flatMap(({ path, object }) => {
      const text = texts.get(object);
      return text === undefined ? [] : [{ path, text }];
    });
  const now = read(after);
  const found = compareTestFiles(read(before), now, { removesTests: rules.removesTests });
  return { found, assertionless: findAssertionlessTests(now) };
}

async function runOnBase(
  request: FactsRequest,
  { changes, entries }: TreeComparison,
  tests: NonNullable<VerifyConfig['tests']>,
): Promise<Partial<Pick<Facts, 'base' | 'baseNotRun' | 'baseWithNewTests'>>> {
  const { context, verify, baseTree, freshBase } = request;
  const run = async (on: RunTree) => {
    const known = freshBase ? undefined : findTestRun(context, tests, on);
    if (known) return known;
    const setup = await ensureSetup(context, verify.setup, on);
    return setup.ready ? runTests(context, tests, on) : setup.why;
  };
  const base = await run({ tree: baseTree, is: 'base' });
  if (typeof base === 'string') return { baseNotRun: base };
  const overlay = testSideOf(changes);
  if (overlay.length === 0) return { base };
  const withTests = await overlayTree(context.repository, baseTree, entries, overlay);
  const baseWithNewTests = await run({ tree: withTests, is: 'base_with_new_tests' });
  return { base, baseWithNewTests: typeof baseWithNewTests === 'string' ? undefined : baseWithNewTests };
}

/** Each command finds the tree as it is, whatever the one before it did to the files. */
async function runOnCandidate(
  { context, verify, tree, baseTree, shared }: FactsRequest,
  ground: CoverageGround,
): Promise<Pick<Facts, 'notRun' | 'candidate' | 'coverage' | 'health' | 'checks'>> {
  const on: RunTree = { tree, is: 'candidate' };
  const setup = await ensureSetup(context, verify.setup, on);
  if (!setup.ready) {
    const coverage: CoverageRun = { measured: false, why: setup.why, evidence: setup.evidence };
    return { notRun: setup.why, candidate: undefined, coverage, health: undefined, checks: [] };
  }
  // What the set-up built is there again too, if a command changed it.
  const fresh = async () => void (await ensureSetup(context, verify.setup, on));
  const health = verify.health === undefined ? undefined : await runHealth(context, verify.health, on);
  if (health) await fresh();
  const { setup: prepared, tests, coverage } = verify;
  const of = { tree, baseTree, prepared, mayFail: ground.mayFail };
  const tested = await once(shared, { of, tests, coverage }, () =>
    runTestsAndCoverage(context, verify, on, ground, fresh),
  );
  const checks: CheckRun[] = [];
  for (const check of verify.checks ?? []) {
    const run = async () => {
      await fresh();
      return runCheck(context, check, on);
    };
    checks.push(await once(shared, { of, check }, run));
  }
  return { notRun: undefined, ...tested, health, checks };
}

/** Runs something, or gives what came of it for another feature that is verified with this one. */
async function once<Result>(
  shared: SharedRuns | undefined,
  what: object,
  run: () => Promise<Result>,
): Promise<Result> {
  const key = JSON.stringify(what);
  // Sound because what is asked for says what comes of it.
  if (shared?.has(key)) return shared.get(key) as Result;
  const result = await run();
  shared?.set(key, result);
  return result;
}

function runHealth(
  context: RunContext,
  health: NonNullable<VerifyConfig['health']>,
  on: RunTree,
): Promise<CheckRun> {
  const { command, ...rest } = typeof health === 'string' ? { command: health } : health;
  return runCheck(context, { name: 'health', command, ...rest }, on);
}

async function runTestsAndCoverage(
  context: RunContext,
  { tests, coverage }: VerifyConfig,
  on: RunTree,
  ground: CoverageGround,
  fresh: () => Promise<void>,
): Promise<Pick<Facts, 'candidate' | 'coverage'>> {
  const byTests = coverage !== undefined && coverage.command === undefined;
  let measured: CoverageRun = {
    measured: false,
    why: coverage
      ? 'no command leaves a report'
      : 'how coverage is measured is not known; add `coverage: {command: …, report: …}` under `verify:`',
  };
  if (byTests) clearCoverageReport(context, coverage);
  const candidate = tests
    ? await runTests(context, tests, on, ({ evidence }) => {
        // The report is there only now: the next command finds the files as the tree has them.
        if (byTests)
          measured = readCoverage(
            context,
            coverage,
            { ...evidence, id: `${evidence.id}-C`, check: 'coverage' },
            ground,
            (found) => recordEvidence(context, found),
          );
      })
    : undefined;
  if (coverage?.command !== undefined) {
    await fresh();
    measured = await runCoverage(context, { ...coverage, command: coverage.command }, on, ground);
  }
  return { candidate, coverage: measured };
}
