import type { CheckConfig } from '../config/project/verify-config.ts';
import type { Evidence } from '../domain/entities/evidence.ts';
import type { ReportFault, TestResult } from '../domain/entities/test-report.ts';
import type { Outcome } from '../domain/entities/verification.ts';
import type { PathChange } from '../platform/git/git-tree.ts';
import type { ArchitectureFacts } from './architecture-facts.ts';
import type { CoverageFigures } from './coverage/measure-coverage.ts';
import type { HarnessChange } from './harness/compare-harness.ts';
import type { TestLoss } from './test-files/test-loss.ts';
import type { AlteredFile } from './test-side/altered-tests.ts';

/** The rules for the verified tasks: the strictest of each. */
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

/** A test of the base that the candidate does not pass in its base version. */
export interface ChangedTest {
  name: string;
  file: string | undefined;
  /** `not-comparable`: it needs something that the candidate no longer has, so its failure proves nothing. */
  outcome: 'fails' | 'not-comparable';
  /** The runner's message. */
  message: string;
  /** The changed test files, helpers and fixtures that affect it. */
  changedFiles: readonly string[];
  /** A person accepted all of these files in their current version. */
  accepted: boolean;
  /** Its text on the base and now, if found. */
  before: string;
  after: string;
}

/** The base's version of the tests, run against the candidate. */
export type BaseTestsRun =
  | {
      ran: true;
      run: TestRun;
      /** How many tests that passed on the base were compared. */
      compared: number;
      changed: readonly ChangedTest[];
      /** Unaltered tests that failed once and passed when they ran again; not in `changed`. */
      flaky?: readonly ChangedTest[];
    }
  | { ran: false; why: string };

/** A suite whose runner reports no names: the whole command is one test. */
export interface UnnamedSuite {
  command: string;
  /** A run of the candidate with a failure in its test files. */
  probe: { ran: true; run: TestRun; files: readonly string[] } | { ran: false; why: string };
}

/** Everything the gates judge. Gates only compare; other code collects. */
export interface Facts {
  rules: GateRules;
  /** The reason why no command ran on the candidate: its set-up failed. */
  notRun: string | undefined;
  /** Undefined without a test command. */
  candidate: TestRun | undefined;
  base: TestRun | undefined;
  /** A person continues although tests fail on the base: only new failures count. */
  redBaseAccepted?: boolean;
  /** The reason why the base has no result: its set-up failed. */
  baseNotRun: string | undefined;
  /** The base with only the change's tests. */
  baseWithNewTests: TestRun | undefined;
  /** Keys of tests that use nothing of what their file imports from the change, and so cannot load on the base. */
  testsWithoutNewNames?: ReadonlySet<string>;
  coverage: CoverageRun;
  /** Places, as `file:line`, where the change excludes lines from coverage in a way that cannot be taken out. */
  coverageExclusions: readonly string[];
  /** Places of comments that exclude lines; coverage is measured without them. */
  exclusionComments: readonly string[];
  /** Places, as `file:line`, where the change asks whether it is being tested. */
  testQuestions?: readonly string[];
  /** Places, as `file:line`, where the change makes values equal to everything. */
  equalities?: readonly string[];
  /** Without task plans, which are not work. */
  changes: readonly PathChange[];
  /** Test files with new or altered tests. */
  alteredTests: readonly AlteredFile[];
  /** The files of the tests that the change adds or alters: tests, helpers and fixtures. */
  testFiles: readonly string[];
  /** The files of the base's tests that the change leaves as they are. */
  unchangedTestFiles?: ReadonlySet<string>;
  /** The base's tests on the candidate; undefined if the change alters no test, helper or fixture of the base. */
  baseTests: BaseTestsRun | undefined;
  /** Only if neither base nor candidate report a test by name, and the command passes on both. */
  unnamed?: UnnamedSuite | undefined;
  harness: readonly (HarnessChange & { accepted: boolean })[];
  losses: readonly TestLoss[];
  /** Changed test files without any assertion. */
  assertionlessTestFiles?: readonly string[];
  /** Changed scripts with assertions but without named tests. */
  testScripts?: readonly string[];
  health: CheckRun | undefined;
  checks: readonly CheckRun[];
  architecture: ArchitectureFacts;
}
