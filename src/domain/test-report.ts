export const TEST_STATUSES = ['passed', 'failed', 'skipped', 'todo'] as const;

export type TestStatus = (typeof TEST_STATUSES)[number];

export interface TestResult {
  /** Suites and case, outermost first, joined by ` > `. */
  name: string;
  /** As the runner gave it, relative to the tree where that is known. */
  file?: string;
  status: TestStatus;
  /** Why it failed or was skipped, in the runner's words, bounded. */
  message?: string;
}

/** How a test is known from run to run. */
export function testKey({ name, file }: Pick<TestResult, 'name' | 'file'>): string {
  return `${file ?? ''}\0${name}`;
}

/** What went wrong outside of any single test: a file that does not load, a crash, a plan that was not kept. */
export interface ReportFault {
  file?: string;
  message: string;
}

/** What one run of one test runner says. */
export interface TestReport {
  /** `vitest`, `jest`, `node:test`, `pytest`, `go test`, `cargo test`, `junit`, `tap`. */
  runner: string;
  tests: TestResult[];
  faults: ReportFault[];
}

/** A report that cannot be read is an answer, not an accident: candidates write such files. */
export type Parsed<Value> = { ok: true; value: Value } | { ok: false; why: string };
