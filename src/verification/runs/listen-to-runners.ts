import { join } from 'node:path';
import type { ReportFault, TestResult } from '../../domain/entities/test-report.ts';
import {
  collectReports,
  prepareReports,
  type ReportsFolder,
  type TestSelection,
} from '../runners/collect-reports.ts';
import { runnerEnvironment, tapFolder } from '../runners/runner-environment.ts';
import { mergeReports } from '../test-reports/merge-reports.ts';
import type { WorkspaceRun } from './run-in-workspace.ts';

/** The combined results of one command's test runners. */
export interface NamedResults {
  results: TestResult[];
  faults: ReportFault[];
  runners: string[];
}

/** Makes a command's test runners report their tests: call `environment` before the start and `read` after the end. */
export class RunnerListener {
  #folder: ReportsFolder | undefined;
  readonly #startedAt = Date.now();
  readonly #selection: TestSelection | undefined;

  /** With a selection, runners that support it run only those files. */
  constructor(selection?: TestSelection) {
    this.#selection = selection;
  }

  environment(runFolder: string, base: NodeJS.ProcessEnv): Record<string, string> {
    this.#folder = prepareReports(join(runFolder, 'reports'), this.#selection);
    return runnerEnvironment({
      reportsFolder: this.#folder.path,
      tapFolder: tapFolder(),
      path: base.PATH ?? '',
      base,
    });
  }

  async read({ result }: WorkspaceRun, root: string, declaredReport?: string): Promise<NamedResults> {
    if (!this.#folder) throw new Error('the command was not started with this listener');
    const { reports, unreadable } = await collectReports({
      folder: this.#folder,
      stdout: result.stdout,
      root,
      declaredReport,
      startedAt: this.#startedAt,
    });
    return {
      results: mergeReports(reports),
      faults: [
        ...reports.flatMap(({ faults }) => faults),
        ...unreadable.map(({ path, code, why }) => ({
          message: code === 'faulty' ? why : `the report ${path} ${why}`,
          // A report that was written: others may be missing because there is no test yet.
          ...(code === undefined ? { code: 'unreadable' as const } : {}),
        })),
      ],
      runners: reports.map(({ runner }) => runner),
    };
  }
}
