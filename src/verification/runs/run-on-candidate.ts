import type { VerifyConfig } from '../../config/project/verify-config.ts';
import { isObject } from '../../domain/json/plain-shape.ts';
import { readTreeFile } from '../../platform/git/git-tree.ts';
import { runCheck } from '../checks/run-check.ts';
import type { CheckRun, CoverageRun, Facts } from '../facts.ts';
import { ensureSetup } from './ensure-setup.ts';
import { coverageRunsTests } from './join-coverage.ts';
import { recordEvidence } from './record-evidence.ts';
import type { RunContext, RunTree } from './run-context.ts';
import {
  type CoverageConfig,
  type CoverageContext,
  clearCoverageReport,
  readCoverage,
  runCoverage,
} from './run-coverage.ts';
import { runTests, type TestsConfig } from './run-tests.ts';

/**
 * Results on a candidate for other features that are verified on the same one right afterwards, to avoid running the
 * same command again.
 */
export type SharedRuns = Map<string, unknown>;

export interface CandidateRequest {
  context: RunContext;
  verify: VerifyConfig;
  tree: string;
  baseTree: string;
  shared?: SharedRuns;
}

/** Each command gets the unchanged tree, whatever the previous one did to the files. */
export async function runOnCandidate(
  { context, verify, tree, baseTree, shared }: CandidateRequest,
  coverageContext: CoverageContext,
): Promise<Pick<Facts, 'notRun' | 'candidate' | 'coverage' | 'health' | 'checks'>> {
  const on: RunTree = { tree, is: 'candidate' };
  const setup = await ensureSetup(context, verify.setup, on);
  if (!setup.ready) {
    const coverage: CoverageRun = { measured: false, why: setup.why, evidence: setup.evidence };
    return { notRun: setup.why, candidate: undefined, coverage, health: undefined, checks: [] };
  }
  // Also restores what the set-up built, if a command changed it.
  const fresh = async () => void (await ensureSetup(context, verify.setup, on));
  const health = verify.health === undefined ? undefined : await runHealth(context, verify.health, on);
  if (health) await fresh();
  const { setup: prepared, tests, coverage } = verify;
  const of = { tree, baseTree, prepared, mayFail: coverageContext.mayFail };
  const tested = await once(shared, { of, tests, coverage }, () =>
    runTestsAndCoverage(context, verify, on, coverageContext, fresh),
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

/** Runs something, or returns the result from another feature that is verified together with this one. */
async function once<Result>(
  shared: SharedRuns | undefined,
  what: object,
  run: () => Promise<Result>,
): Promise<Result> {
  const key = JSON.stringify(what);
  // Sound: the key determines the type of the result.
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
  { setup, tests, coverage }: VerifyConfig,
  on: RunTree,
  coverageContext: CoverageContext,
  fresh: () => Promise<void>,
): Promise<Pick<Facts, 'candidate' | 'coverage'>> {
  if (!coverage) {
    const why =
      'no coverage command; add `coverage: {command: …, report: …}` under `verify:`, or set `coverage_required: false` in .guardkit/config/quality-gates.yaml';
    const candidate = tests && (await runTests(context, tests, on, { setup }));
    return { candidate, coverage: { measured: false, why } };
  }
  const { command } = coverage;
  const { withoutExclusions } = coverageContext;
  if (withoutExclusions !== undefined) {
    const candidate = tests && (await runTests(context, tests, on, { setup }));
    const full: RunTree = { tree: withoutExclusions, is: 'candidate_without_exclusions' };
    await ensureSetup(context, setup, full);
    return { candidate, coverage: await measure(context, { setup, tests, coverage }, full, coverageContext) };
  }
  const joined = tests && (command === undefined ? tests : await joinCommands(context, tests, coverage, on));
  if (joined) {
    const both = await runBoth(context, joined, coverage, on, { setup, coverageContext });
    if (joined === tests || !both.isDoubtful) return both;
    // The tests passed, but the command failed: a threshold of the coverage tool, or the tool itself.
    await fresh();
    return { ...both, candidate: await runTests(context, tests, on, { setup }) };
  }
  const candidate = tests && (await runTests(context, tests, on, { setup }));
  if (command === undefined)
    return { candidate, coverage: { measured: false, why: 'no command writes a coverage report' } };
  await fresh();
  return { candidate, coverage: await runCoverage(context, { ...coverage, command }, on, coverageContext) };
}

/** Runs the coverage command, or the tests if they write the report. */
async function measure(
  context: RunContext,
  { setup, tests, coverage }: VerifyConfig & { coverage: CoverageConfig },
  on: RunTree,
  coverageContext: CoverageContext,
): Promise<CoverageRun> {
  const { command } = coverage;
  if (command !== undefined) return runCoverage(context, { ...coverage, command }, on, coverageContext);
  if (!tests) return { measured: false, why: 'no command writes a coverage report' };
  return (await runBoth(context, tests, coverage, on, { setup, coverageContext })).coverage;
}

/** Runs the tests once and reads the coverage report that they write. */
async function runBoth(
  context: RunContext,
  tests: TestsConfig,
  coverage: CoverageConfig,
  on: RunTree,
  { setup, coverageContext }: { setup: VerifyConfig['setup']; coverageContext: CoverageContext },
): Promise<Pick<Facts, 'candidate' | 'coverage'> & { isDoubtful: boolean }> {
  let measured: CoverageRun = { measured: false, why: 'the tests did not run' };
  clearCoverageReport(context, coverage);
  const candidate = await runTests(context, tests, on, {
    setup,
    // The report exists only now: the next command gets the tree's own files.
    afterwards: ({ evidence }) => {
      const own = { ...evidence, id: `${evidence.id}-C`, check: 'coverage' };
      measured = readCoverage(context, coverage, own, coverageContext, (found) =>
        recordEvidence(context, found),
      );
    },
  });
  const failed = candidate.results.some(({ status }) => status === 'failed') || candidate.faults.length > 0;
  const isDoubtful = candidate.results.length === 0 || (candidate.evidence.exit !== 0 && !failed);
  return { candidate, coverage: measured, isDoubtful };
}

/** The test command with coverage, if the coverage command is exactly that. */
async function joinCommands(
  { repository }: RunContext,
  tests: TestsConfig,
  { command = '', timeout }: CoverageConfig,
  { tree }: RunTree,
): Promise<TestsConfig | undefined> {
  const text = (await readTreeFile(repository, tree, 'package.json')) ?? '{}';
  if (!coverageRunsTests(tests.command, command, scriptsOf(text))) return undefined;
  const longest = Math.max(tests.timeout ?? 0, timeout ?? 0);
  return { ...tests, command, ...(longest > 0 ? { timeout: longest } : {}) };
}

function scriptsOf(text: string): Record<string, unknown> {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    return isObject(scripts) ? scripts : {};
  } catch {
    // Safe: without scripts, the two commands are compared as written.
    return {};
  }
}
