import type { CheckConfig } from '../config/project/verify-config.ts';
import type { Evidence } from '../domain/entities/evidence.ts';
import type { Outcome } from '../domain/entities/outcome.ts';
import type { ReportFault, TestResult } from '../domain/entities/test-report.ts';
import type { PathChange } from '../platform/git/git-tree.ts';
import type { ArchitectureFacts } from './architecture-facts.ts';
import type { CoverageFigures } from './coverage/measure-coverage.ts';
import type { HarnessChange } from './harness/compare-harness.ts';
import type { TestLoss } from './test-files/test-loss.ts';
import type { AlteredFile } from './test-side/altered-tests.ts';
import type { ChangedTest } from './test-side/compare-base-tests.ts';

/** What holds for the tasks that are verified: the strictest of each. */
export interface GateRules {
  taskTypes: readonly string[];
  testsRequired: boolean;
  testsMustPass: boolean;
  coverageRequired: boolean;
  /** A fraction. */
  coverageThreshold: number;
  coverageScope: 'changed' | 'project';
  ui: boolean;
  /** A person's exceptions. */
  testsMayPassOnBase: true | readonly string[];
  removesTests: true | readonly string[];
  changesTests: true | readonly string[];
  /** The text of every criterion. */
  criteria: readonly string[];
}

/** A run of the project's tests on one tree. */
export interface TestRun {
  evidence: Evidence;
  results: readonly TestResult[];
  faults: readonly ReportFault[];
}

export type CoverageRun =
  | { measured: true; evidence: Evidence; figures: CoverageFigures; format: string }
  | { measured: false; why: string; evidence?: Evidence };

export interface CheckRun {
  check: CheckConfig;
  evidence: Evidence;
  result: Outcome;
  reason: string;
}

/** The base's version of the tests, run against the candidate. */
export type BaseTestsRun =
  | {
      ran: true;
      run: TestRun;
      /** How many tests that passed on the base were compared. */
      compared: number;
      changed: readonly ChangedTest[];
    }
  | { ran: false; why: string };

/** Everything the gates judge on. Collecting it is other code; a gate only compares. */
export interface Facts {
  rules: GateRules;
  /** Why no command could be run on the candidate, if so: its set-up failed. */
  notRun: string | undefined;
  /** Undefined where there is no test command. */
  candidate: TestRun | undefined;
  base: TestRun | undefined;
  /** A person goes on though tests fail on the base: only what fails beyond that counts. */
  redBaseAccepted?: boolean;
  /** Why the base gives no result, if so: its set-up fails. */
  baseNotRun: string | undefined;
  /** The base with only the change's tests. */
  baseWithNewTests: TestRun | undefined;
  coverage: CoverageRun;
  /** Places where the change tells the coverage tool to look away, as `file:line`. */
  coverageExclusions: readonly string[];
  /** Without plans, which are no work. */
  changes: readonly PathChange[];
  /** Test files with new or altered tests. */
  alteredTests: readonly AlteredFile[];
  /** The base's tests on the candidate; undefined where the change alters nothing of the base's test side. */
  baseTests: BaseTestsRun | undefined;
  harness: readonly (HarnessChange & { accepted: boolean })[];
  losses: readonly TestLoss[];
  /** Changed test files in which nothing is asserted. */
  assertionlessTestFiles?: readonly string[];
  health: CheckRun | undefined;
  checks: readonly CheckRun[];
  architecture: ArchitectureFacts;
}
