import type { Outcome } from '../../domain/entities/outcome.ts';
import type { TestResult } from '../../domain/entities/test-report.ts';
import type { Verification } from '../../domain/entities/verification.ts';
import type { PathChange } from '../../platform/git/git-tree.ts';
import type { Facts } from '../../verification/facts.ts';
import { countTests } from '../../verification/test-reports/merge-reports.ts';
import type { ChangedTest } from '../../verification/test-side/compare-base-tests.ts';

/** What GuardKit itself saw of a candidate; all that a verdict can rest on. */
export interface TurnEvidence {
  verification: Verification;
  tests: readonly TestResult[];
  /** Null where no test run took place. */
  testCounts: { passed: number; failed: number; skipped: number } | null;
  /** What went wrong in the run outside of any test. */
  faults: readonly string[];
  /** The project's own checks, its health included. */
  checks: readonly { name: string; result: Outcome; reason: string }[];
  /** Percent, in the scope that the gate compares, else of the project; null where it was not measured. */
  coverage: number | null;
  /** Of the candidate against its base. */
  changes: readonly PathChange[];
  testsRequired: boolean;
  /** Tests of the base that the candidate does not pass in their base version. */
  changedTests: readonly ChangedTest[];
}

export function turnEvidence({
  verification,
  facts,
}: {
  verification: Verification;
  facts: Facts;
}): TurnEvidence {
  const { candidate, rules, health, checks } = facts;
  const counts = candidate ? countTests(candidate.results) : null;
  return {
    verification,
    tests: candidate?.results ?? [],
    testCounts: counts && {
      passed: counts.passed,
      failed: counts.failed,
      skipped: counts.skipped + counts.todo,
    },
    faults: (candidate?.faults ?? []).map(({ file, message }) => (file ? `${file}: ${message}` : message)),
    checks: (health ? [health, ...checks] : checks).map(({ check, result, reason }) => ({
      name: check.name,
      result,
      reason,
    })),
    coverage: coveragePercent(facts),
    changes: facts.changes,
    testsRequired: rules.testsRequired,
    changedTests: facts.baseTests?.ran ? facts.baseTests.changed : [],
  };
}

function coveragePercent({ coverage, rules }: Facts): number | null {
  if (!coverage.measured) return null;
  const { changed, project } = coverage.figures;
  const inScope = rules.coverageScope === 'changed' ? changed : project;
  return inScope.figure?.percent ?? project.figure?.percent ?? null;
}
