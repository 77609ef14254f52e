import {
  type TestReport,
  type TestResult,
  type TestStatus,
  testKey,
} from '../../domain/entities/test-report.ts';

export interface MergedTest extends TestResult {
  /** The number of results with this name: table rows, projects of a workspace, reports in two formats. */
  count: number;
}

/** The heavier result wins among those of one name: a failure over everything, a pass over a test that did not run. */
const WEIGHTS = { todo: 0, skipped: 1, passed: 2, failed: 3 } as const satisfies Record<TestStatus, number>;

/** One result per name and file over all reports of a run. */
export function mergeReports(reports: readonly TestReport[]): MergedTest[] {
  const merged = new Map<string, MergedTest>();
  for (const test of reports.flatMap(({ tests }) => tests)) {
    const key = testKey(test);
    const before = merged.get(key);
    const count = (before?.count ?? 0) + 1;
    const stronger = before === undefined || WEIGHTS[test.status] > WEIGHTS[before.status];
    merged.set(key, { ...(stronger ? test : before), count });
  }
  return [...merged.values()];
}

export function countTests(results: readonly TestResult[]): Record<TestStatus, number> {
  const counts = { passed: 0, failed: 0, skipped: 0, todo: 0 };
  for (const { status } of results) counts[status]++;
  return counts;
}
