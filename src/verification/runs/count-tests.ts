import type { TestResult, TestStatus } from '../../domain/entities/test-report.ts';

export function countTests(results: readonly TestResult[]): Record<TestStatus, number> {
  const counts = { passed: 0, failed: 0, skipped: 0, todo: 0 };
  for (const { status } of results) counts[status]++;
  return counts;
}
