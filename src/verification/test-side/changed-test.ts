/** A test of the base that the candidate does not pass in its base version. */
export interface ChangedTest {
  name: string;
  file: string | undefined;
  /** `not-comparable`: it needs something that the candidate no longer has, so that it says nothing. */
  outcome: 'fails' | 'not-comparable';
  /** In the runner's words. */
  message: string;
  /** The changed files of the test side that concern it. */
  changedFiles: readonly string[];
  /** A person accepted all of these files as they are now. */
  accepted: boolean;
  /** Its text on the base and now, as far as it is found. */
  before: string;
  after: string;
}
