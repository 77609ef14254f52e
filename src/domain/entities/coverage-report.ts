export interface FileCoverage {
  /** Relative to the tree, with `/`, where the report allows it. */
  path: string;
  covered: number;
  total: number;
  /** Times each executable line ran, by its number; undefined where the format has only sums. */
  lines?: ReadonlyMap<number, number>;
}

/** Lines that ran, as one report of one run tells it. */
export interface CoverageReport {
  /** `lcov`, `cobertura`, `istanbul-summary`, `istanbul`, `coverage.py`. */
  format: string;
  files: FileCoverage[];
}
