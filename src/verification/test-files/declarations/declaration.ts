/** A declaration at the top of a file or module. */
export interface Declaration {
  /** Functions, types and others that it declares; several for a group or a macro. */
  names: readonly string[];
  /**
   * `import`: of other modules. `fixed`: it may have an effect on tests that do not name it, such as `TestMain`, so the
   * others mean something else without it.
   */
  kind: 'import' | 'fixed' | 'other';
  /** The type of methods. Without them it may have other ones, so it has to go with them. */
  of?: string;
  /** The modules around it in Rust: `tests::sums`. */
  module?: string;
  /** First and last line, from 1. */
  lines: readonly [first: number, last: number];
}
