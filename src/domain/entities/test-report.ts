export const TEST_STATUSES = ['passed', 'failed', 'skipped', 'todo'] as const;

export type TestStatus = (typeof TEST_STATUSES)[number];

export interface TestResult {
  /** Suites and case, outermost first, joined by ` > `. */
  name: string;
  /** As the runner gave it, relative to the tree where that is known. */
  file?: string;
  /** The import path of a Go package, which identifies its tests together with their names. */
  package?: string;
  status: TestStatus;
  /** Why it failed or was skipped, in the runner's words, bounded. */
  message?: string;
}

/** Identifies a test across runs. A test that moves to another file of its package stays the same. */
export function testKey({
  name,
  file,
  package: home,
}: Pick<TestResult, 'name' | 'file' | 'package'>): string {
  return `${home ?? file ?? ''}\0${name}`;
}

export type ReportFaultCode =
  /** After the run an assertion function was no longer the one of its library. */
  | 'assertions-replaced'
  | 'bailed-out'
  | 'contradicts-tests'
  | 'counts-differ'
  | 'cut-off'
  | 'ended-early'
  | 'failed-without-test'
  | 'forged'
  | 'interrupted'
  | 'malformed'
  | 'not-compiled'
  | 'not-set-up'
  | 'number-outside-plan'
  | 'panicked'
  | 'plan-missing'
  | 'plan-not-kept'
  | 'plan-repeated'
  | 'subtest-open'
  | 'suite-open'
  | 'tests-open'
  | 'too-many-faults'
  | 'too-many-tests';

/** What went wrong outside of any single test: a file that does not load, a crash, a plan that was not kept. */
export interface ReportFault {
  file?: string;
  /** The Go package that it kept from being tested. */
  package?: string;
  message: string;
  /** Absent where the message is the runner's own. */
  code?: ReportFaultCode;
}

/** What one run of one test runner says. */
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

/** A report that cannot be read is an answer, not an accident: candidates write such files. */
export type Parsed<Value> = { ok: true; value: Value } | { ok: false; code?: UnreadableCode; why: string };
