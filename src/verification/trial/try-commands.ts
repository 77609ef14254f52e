import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import type { Evidence } from '../../domain/entities/evidence.ts';
import { listTree } from '../../platform/git/git-tree.ts';
import { conventionOf, packageRoots } from '../coverage/source-conventions.ts';
import { parseCoverage } from '../coverage-reports/parse-coverage.ts';
import { resolveCoveragePaths } from '../coverage-reports/resolve-coverage-paths.ts';
import { ensureSetup } from '../runs/ensure-setup.ts';
import type { RunContext, RunTree } from '../runs/run-context.ts';
import {
  type CoverageConfig,
  clearCoverageReport,
  reportPlaces,
  writtenReports,
} from '../runs/run-coverage.ts';
import { runInWorkspace } from '../runs/run-in-workspace.ts';
import { runTests } from '../runs/run-tests.ts';
import { countTests } from '../test-reports/merge-reports.ts';

/** One command of a trial that ended. */
export interface TriedStep {
  command: string;
  durationMs: number;
  exit: number | null;
  timedOut: boolean;
  /** The end of its output. */
  tail: string;
}

export interface TriedTests extends TriedStep {
  passed: number;
  failed: number;
  skipped: number;
  failedNames: string[];
  runners: string[];
}

export type TriedCoverage =
  | { found: true; report: string; format: string; files: number; durationMs: number }
  | { found: false; why: string; step: TriedStep };

/** The results of running the commands once. A step that was not reached is missing. */
export interface Trial {
  verify: VerifyConfig;
  /** The commands' home folder. */
  home: string;
  setup?: TriedStep;
  tests?: TriedTests;
  coverage?: TriedCoverage;
}

/** Runs commands once, like a verification, until the deadline. */
export async function tryCommands(
  context: RunContext,
  verify: VerifyConfig,
  on: RunTree,
  deadline: number,
): Promise<Trial> {
  const left = () => Math.max(1, (deadline - performance.now()) / 1000);
  const trial: Trial = { verify, home: context.workspace.home };
  const { setup, tests, coverage } = verify;
  const command = typeof setup === 'object' ? setup.command : setup;
  const startedAt = performance.now();
  const made = await ensureSetup(
    context,
    command === undefined ? undefined : { command, timeout: left() },
    on,
  );
  if (command !== undefined)
    trial.setup = made.ready
      ? { command, durationMs: performance.now() - startedAt, exit: 0, timedOut: false, tail: '' }
      : asStep(made.evidence);
  if (!made.ready || !tests || context.signal?.aborted) return trial;
  if (coverage) clearCoverageReport(context, coverage);
  const files = new Set((await listTree(context.repository, on.tree)).map(({ path }) => path));
  let writtenReport: Coverage | undefined;
  const run = await runTests(context, { ...tests, timeout: left() }, on, {
    setup,
    afterwards: () => {
      writtenReport = coverage && readReport(context, coverage, files);
    },
  });
  trial.tests = {
    ...asStep(run.evidence),
    ...counted(run.results),
    runners: run.evidence.tests?.runners ?? [],
  };
  if (!coverage || performance.now() > deadline || context.signal?.aborted) return trial;
  if (coverage.command === undefined) {
    trial.coverage = asCoverage(writtenReport, trial.tests, coverage);
    return trial;
  }
  await context.workspace.place(on.tree, context.baseCommit);
  trial.coverage = await runInWorkspace(
    context,
    { check: 'coverage', command: coverage.command, timeoutMs: left() * 1000, on },
    async ({ evidence }) => asCoverage(readReport(context, coverage, files), asStep(evidence), coverage),
  );
  return trial;
}

type Coverage = { report: string; format: string; files: number } | { report: string; why: string };

function asCoverage(found: Coverage | undefined, step: TriedStep, config: CoverageConfig): TriedCoverage {
  if (step.exit !== 0)
    return { found: false, why: step.timedOut ? 'it timed out' : `it failed (exit ${step.exit})`, step };
  if (!found) return { found: false, why: `it wrote no report (${reportPlaces(config).join(', ')})`, step };
  if ('why' in found) return { found: false, why: `${found.report} is not usable: ${found.why}`, step };
  return { found: true, ...found, durationMs: step.durationMs };
}

function readReport(
  { workspace }: RunContext,
  config: CoverageConfig,
  files: ReadonlySet<string>,
): Coverage | undefined {
  const { written, missing } = writtenReports(workspace.folder, config);
  if (missing.length > 0) return undefined;
  const read = written.map((report) => readOne(workspace.folder, report, files));
  const unusable = read.find((one) => 'why' in one);
  if (unusable) return unusable;
  const usable = read.flatMap((one) => ('why' in one ? [] : [one]));
  return {
    report: usable.map(({ report }) => report).join(', '),
    format: [...new Set(usable.map(({ format }) => format))].join(', '),
    files: usable.reduce((sum, one) => sum + one.files, 0),
  };
}

function readOne(folder: string, report: string, files: ReadonlySet<string>): Coverage {
  const parsed = parseCoverage(readFileSync(join(folder, report), 'utf8'));
  if (!parsed.ok) return { report, why: parsed.why };
  const roots = [folder, realpathSync(folder)];
  const { report: resolved, unmatched } = resolveCoveragePaths(parsed.value, roots, files, report);
  const packages = packageRoots(files);
  const isProduct = (path: string) => conventionOf(path, (one) => packages.has(one)) === undefined;
  const [other] = unmatched;
  // Tests of a build without source maps: no line of a source would ever count as covered.
  if (other !== undefined && !resolved.files.some(({ path }) => isProduct(path)))
    return { report, why: `it measures ${relativeName(other, roots)}, but no source file of the repository` };
  return { report, format: parsed.value.format, files: parsed.value.files.length };
}

function relativeName(path: string, roots: readonly string[]): string {
  const root = roots.find((one) => path.startsWith(`${one}/`));
  return root === undefined ? path : path.slice(root.length + 1);
}

function counted(results: Parameters<typeof countTests>[0]) {
  const { passed, failed, skipped, todo } = countTests(results);
  return {
    passed,
    failed,
    skipped: skipped + todo,
    failedNames: results.filter(({ status }) => status === 'failed').map(({ name }) => name),
  };
}

export function asStep(evidence: Evidence): TriedStep {
  return {
    command: evidence.command,
    durationMs: evidence.duration_ms,
    exit: evidence.exit,
    timedOut: evidence.timed_out,
    tail: evidence.output_tail,
  };
}

/** How much a trial showed: 0 nothing, 1 tests with failures, 2 passing tests, 3 coverage as well. */
export function trialRank({ tests, coverage }: Pick<Trial, 'tests' | 'coverage'>): 0 | 1 | 2 | 3 {
  if (!tests || tests.passed === 0) return 0;
  if (tests.failed > 0 || tests.exit !== 0) return 1;
  return coverage?.found ? 3 : 2;
}
