import { parseCargoTest } from './cargo-test.ts';
import { parseGoTest } from './go-test.ts';
import type { ReportFormat } from './report-formats.ts';
import { parseTap } from './tap.ts';

export interface OutputFormat extends ReportFormat {
  /** Read only where no runner left a report: tests of other runners print such text for reasons of their own. */
  onlyAlone: boolean;
}

/** What test runners print that have no report file of their own. */
export const OUTPUT_FORMATS: readonly OutputFormat[] = [
  {
    name: 'go test',
    recognises: (text) =>
      /^(?:=== RUN | *--- (?:PASS|FAIL|SKIP): |ok {2}\t|FAIL\t|\{.*"Action":)/m.test(text),
    parse: parseGoTest,
    onlyAlone: false,
  },
  {
    name: 'cargo test',
    recognises: (text) => /^(?:running \d+ tests?$|test result: |error: could not compile )/m.test(text),
    parse: parseCargoTest,
    onlyAlone: false,
  },
  {
    name: 'TAP',
    // A version line is asked for here: programs print lines that begin with `ok` for reasons of their own.
    recognises: (text) => /^TAP version 1[234][ \t\r]*$/m.test(text),
    parse: parseTap,
    onlyAlone: true,
  },
];
