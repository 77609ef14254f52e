import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import type { CoverageReport } from '../../domain/entities/coverage-report.ts';
import { describeEvidence, type Evidence } from '../../domain/entities/evidence.ts';
import { measureCoverage } from '../coverage/measure-coverage.ts';
import type { ProductCode } from '../coverage/product-code.ts';
import { parseCoverage } from '../coverage-reports/parse-coverage.ts';
import { joinReports, resolveCoveragePaths } from '../coverage-reports/resolve-coverage-paths.ts';
import type { CoverageRun } from '../facts.ts';
import { declaredPlaces } from '../runners/read-report-file.ts';
import { removeFromWorkspace } from '../workspaces/verification-workspace.ts';
import { recordEvidence } from './record-evidence.ts';
import type { RunContext, RunTree } from './run-context.ts';
import { runInWorkspace } from './run-in-workspace.ts';

const DEFAULT_TIMEOUT_S = 30 * 60;
const MAX_REPORT_BYTES = 200 * 1024 * 1024;

export type CoverageConfig = NonNullable<VerifyConfig['coverage']>;

/** The code that the figures are computed for. */
export interface CoverageContext {
  changed: ReadonlyMap<string, ReadonlySet<number>>;
  treeFiles: ReadonlySet<string>;
  /** A changed file's text in the tree. */
  sourceOf(path: string): string | undefined;
  whyLeftOut: ProductCode['whyLeftOut'];
  isStarted: ProductCode['isStarted'];
  /** A person accepted failing tests: a command that runs them may fail and still write its report. */
  mayFail: boolean;
  /** Folders of packages whose reports count only for their own files. */
  onlyOwnFiles?: readonly string[];
  /** The tree without comments that exclude code from coverage, if the change adds such comments. */
  withoutExclusions?: string | undefined;
}

/** Default report paths of tools; formats with lines come first. */
const USUAL_REPORTS = [
  'coverage/lcov.info',
  'lcov.info',
  'coverage/coverage-final.json',
  'coverage/cobertura-coverage.xml',
  'coverage.xml',
  'coverage.json',
  'cover.out',
  'coverage.out',
  'coverage/coverage-summary.json',
];

export function reportPlaces({ report }: CoverageConfig): readonly string[] {
  if (report === undefined) return USUAL_REPORTS;
  return typeof report === 'string' ? [report] : report;
}

/** Removes a report that is in the tree: only this run's report counts. */
export function clearCoverageReport({ workspace }: RunContext, config: CoverageConfig): void {
  for (const place of reportPlaces(config).flatMap((one) => declaredPlaces(workspace.folder, one)))
    removeFromWorkspace(workspace, place);
}

/** The reports that a run wrote: the first of the usual ones, or all declared ones, with those that are missing. */
export function writtenReports(
  root: string,
  config: CoverageConfig,
): { written: string[]; missing: string[] } {
  const places = reportPlaces(config).map((place) => ({
    place,
    written: declaredPlaces(root, place).filter((one) => existsSync(join(root, one))),
  }));
  const written = places.flatMap((one) => one.written);
  if (config.report === undefined)
    return { written: written.slice(0, 1), missing: written.length > 0 ? [] : USUAL_REPORTS.slice(0, 1) };
  const isMissing = (one: { written: readonly string[] }) => one.written.length === 0;
  return { written, missing: places.filter(isMissing).map(({ place }) => place) };
}

/** Runs the coverage command and reads its report. */
export function runCoverage(
  context: RunContext,
  config: CoverageConfig & { command: string },
  on: RunTree,
  coverageContext: CoverageContext,
): Promise<CoverageRun> {
  clearCoverageReport(context, config);
  const timeoutMs = (config.timeout ?? DEFAULT_TIMEOUT_S) * 1000;
  return runInWorkspace(
    context,
    { check: 'coverage', command: config.command, timeoutMs, on },
    async ({ evidence }) => {
      if (
        evidence.exit !== 0 &&
        !(coverageContext.mayFail && evidence.exit !== null && !evidence.timed_out)
      ) {
        const failed = recordEvidence(context, { ...evidence, found: 'the command failed' });
        return {
          measured: false,
          why: `"${config.command}" failed (${describeEvidence(evidence)})`,
          evidence: failed,
        };
      }
      return readCoverage(context, config, evidence, coverageContext, (found) =>
        recordEvidence(context, found),
      );
    },
  );
}

/** Reads the report that a run just wrote to the workspace. */
export function readCoverage(
  { workspace }: RunContext,
  config: CoverageConfig,
  evidence: Evidence,
  { changed, treeFiles, sourceOf, whyLeftOut, isStarted, onlyOwnFiles = [] }: CoverageContext,
  record: (evidence: Evidence) => Evidence,
): CoverageRun {
  const fail = (why: string): CoverageRun => ({
    measured: false,
    why,
    evidence: record({ ...evidence, found: why }),
  });
  const roots = [workspace.folder, realpathSync(workspace.folder)];
  const { written, missing } = writtenReports(workspace.folder, config);
  const digest = createHash('sha256');
  const reports: CoverageReport[] = [];
  for (const report of [...missing, ...written]) {
    const bytes = readReport(workspace.folder, report);
    if (typeof bytes === 'string') return fail(`${report} ${bytes}`);
    const parsed = parseCoverage(bytes.toString('utf8'));
    if (!parsed.ok) return fail(`${report} is not usable: ${parsed.why}`);
    digest.update(bytes);
    const resolved = resolveCoveragePaths(parsed.value, roots, treeFiles, report).report;
    const home = onlyOwnFiles.find((folder) => report.startsWith(`${folder}/`));
    reports.push(home === undefined ? resolved : filesBelow(resolved, home));
  }
  const joined = joinReports(reports);
  const figures = measureCoverage(joined, changed, { whyLeftOut, isStarted, sourceOf });
  const summary = {
    format: joined.format,
    project: figures.project.figure?.fraction ?? null,
    changed: figures.changed.figure?.fraction ?? null,
    changed_covered: figures.changed.figure?.covered ?? 0,
    changed_total: figures.changed.figure?.total ?? 0,
    missing_files: figures.missingFiles.slice(0, 200),
    left_out: figures.leftOut.slice(0, 200),
    report_digest: digest.digest('hex'),
  };
  const recorded = record({ ...evidence, coverage: summary });
  return { measured: true, evidence: recorded, figures, format: joined.format };
}

function filesBelow({ format, files }: CoverageReport, folder: string): CoverageReport {
  return { format, files: files.filter(({ path }) => path.startsWith(`${folder}/`)) };
}

/** The report's bytes, or the reason why there are none. A link could lead to another run's report. */
function readReport(root: string, report: string): Buffer | string {
  const path = join(root, report);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return 'was not written by this run';
  if (!stat.isFile() || !realpathSync(path).startsWith(`${realpathSync(root)}${sep}`))
    return 'is not a file of the tree';
  if (stat.size > MAX_REPORT_BYTES) return `is larger than ${MAX_REPORT_BYTES} bytes`;
  return readFileSync(path);
}
