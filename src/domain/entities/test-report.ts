export const TEST_STATUSES = ['passed', 'failed', 'skipped', 'todo'] as const;

export type TestStatus = (typeof TEST_STATUSES)[number];

export interface TestResult {
  /** Suites and case, outermost first, joined by ` > `. */
  name: string;
  /** As the runner reported it, relative to the tree if known. */
  file?: string;
  /** The import path of a Go package; with the name it identifies a test. */
  package?: string;
  status: TestStatus;
  /** The runner's reason for a failure or skip, truncated. */
  message?: string;
  /** It failed because it, or its whole process, ended early. */
  unfinished?: true;
}

/** Identifies a test across runs. A test that moves to another file of its package stays the same. */
export function testKey({
  name,
  file,
  package: home,
}: Pick<TestResult, 'name' | 'file' | 'package'>): string {
  return `${home ?? file ?? ''}\0${name}`;
}

export const REPORT_FAULT_CODES = [
  /** An assertion function was replaced during the run. */
  'assertions-replaced',
  'bailed-out',
  'contradicts-tests',
  'counts-differ',
  'cut-off',
  'ended-early',
  'failed-without-test',
  'forged',
  'interrupted',
  'malformed',
  'not-compiled',
  'not-set-up',
  'number-outside-plan',
  'panicked',
  'plan-missing',
  'plan-not-kept',
  'plan-repeated',
  'subtest-open',
  'suite-open',
  'tests-open',
  'too-many-faults',
  'too-many-tests',
  'unreadable',
] as const;

export type ReportFaultCode = (typeof REPORT_FAULT_CODES)[number];

/** A place that a compiler rejects. */
export interface SourcePlace {
  /** As the compiler reported it, relative to the tree if known. */
  file: string;
  /** Both from 1. */
  line: number;
  column: number;
  message: string;
}

/** An error outside of any single test: a file that does not load, a crash, a test plan not completed. */
export interface ReportFault {
  file?: string;
  /** The Go package that could not be tested. */
  package?: string;
  message: string;
  /** Of code that does not compile. */
  places?: readonly SourcePlace[];
  /** Absent if the message comes from the runner. */
  code?: ReportFaultCode;
}

/** The results of one run of one test runner. */
export interface TestReport {
  /** `vitest`, `jest`, `node:test`, `pytest`, `go test`, `cargo test`, `junit`, `tap`. */
  runner: string;
  tests: TestResult[];
  faults: ReportFault[];
}

export type UnreadableCode =
  | 'empty-folder'
  | 'entities'
  | 'faulty'
  | 'forged'
  | 'key-changed'
  | 'no-record'
  | 'not-a-file'
  | 'not-in-tree'
  | 'repeated'
  | 'stale'
  | 'too-large'
  | 'too-many';

/** An unreadable report is an expected result: candidates can write these files. */
export type Parsed<Value> = { ok: true; value: Value } | { ok: false; code?: UnreadableCode; why: string };
