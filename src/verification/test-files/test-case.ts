/** What a test's text says about it, without running it. */
export interface TestCase {
  /** As written, with the names of the suites around it, joined by ` > `. */
  name: string;
  /** `skipped` also where something else in the file keeps it from running; `empty` if it says nothing that could fail. */
  kind: 'active' | 'skipped' | 'todo' | 'empty';
  /** Statements that can fail and are reached; those that compare a constant with itself do not count. */
  assertions: number;
  /** Of the body's tokens: the same after moving, renaming and formatting. */
  bodyDigest: string;
  /** A few hashes of the body; two bodies that share most of them are nearly the same. */
  sketch: readonly number[];
  /** How many times it runs, each with values of its own; null if that is not to be seen here. */
  rows: number | null;
  /** It runs only if something holds that is not to be seen here. */
  conditional: boolean;
  /** Its first and last line in the file, from 1. */
  lines: readonly [first: number, last: number];
  /** The reason in words, if it does not count as active. */
  why: string;
}

export interface SuiteLines {
  /** With the names of the suites around it. */
  name: string;
  lines: readonly [first: number, last: number];
}

export interface TestFileFacts {
  cases: TestCase[];
  /** The file could not be read to its end, so that tests may be missing. */
  uncertain: boolean;
  /** How many tests or suites claim to be the only ones to run. */
  only: number;
  /** Suites with shared code of their own, such as `describe`. */
  suites?: readonly SuiteLines[];
  /** Where what the tests are written with comes from, by word; only where the file says it. */
  sources?: ReadonlyMap<string, string>;
}
