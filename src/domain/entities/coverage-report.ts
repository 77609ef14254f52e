export interface FileCoverage {
  /** Relative to the tree, with `/`, if the report allows it. */
  path: string;
  covered: number;
  total: number;
  /** Execution count by line number; undefined if the format has only totals. */
  lines?: ReadonlyMap<number, number>;
}

/** Line coverage from one report of one run. */
export interface CoverageReport {
  /** `lcov`, `cobertura`, `istanbul-summary`, `istanbul`, `coverage.py`. */
  format: string;
  files: FileCoverage[];
}
