/** The facts about a test from its text, without running it. */
export interface TestCase {
  /** As written, with the names of the enclosing suites, joined by ` > `. */
  name: string;
  /** `skipped` also if something else in the file stops it from running; `empty` if nothing in it can fail. */
  kind: 'active' | 'skipped' | 'todo' | 'empty';
  /** Reachable statements that can fail; comparisons of a constant with itself do not count. */
  assertions: number;
  /** Of the body's tokens: unaffected by moving, renaming and formatting. */
  bodyDigest: string;
  /** A few hashes of the body; similar bodies share most of them. */
  sketch: readonly number[];
  /** How many times it runs with different values; null if unknown. */
  rows: number | null;
  /** It runs only under an unknown condition. */
  conditional: boolean;
  /** It passes if its code fails. */
  expectsFailure?: boolean;
  /** Its first and last line in the file, from 1. */
  lines: readonly [first: number, last: number];
  /** The reason if it is not active. */
  why: string;
}

export interface SuiteLines {
  /** With the names of the enclosing suites. */
  name: string;
  lines: readonly [first: number, last: number];
}

export interface TestFileFacts {
  cases: TestCase[];
  /** The file could not be parsed to its end, so tests may be missing. */
  uncertain: boolean;
  /** How many tests or suites are marked only. */
  only: number;
  /** Suites with shared code, such as `describe`. */
  suites?: readonly SuiteLines[];
  /** The module of each test and assertion function by name, as far as the file shows it. */
  sources?: ReadonlyMap<string, string>;
}
