import type { Parsed, TestReport } from '../../domain/entities/test-report.ts';
import { parseCargoTest } from './cargo-test.ts';
import { parseGoTest } from './go-test.ts';
import { parseJestJson, parseVitestJson } from './jest-json.ts';
import { parseJunitXml } from './junit-xml.ts';
import { parseNodeTest } from './node-test.ts';
import { parseTap, parseTapFiles } from './tap.ts';

export interface ReportFormat {
  name: string;
  recognises(text: string): boolean;
  parse(text: string): Parsed<TestReport>;
}

/** The formats of report files, recognized by content; the first match reads the text. */
export const REPORT_FORMATS: readonly ReportFormat[] = [
  { name: 'JUnit XML', recognises: (text) => /^\uFEFF?\s*</.test(text), parse: parseJunitXml },
  { name: 'node:test', recognises: (text) => /^\s*\{"type":"test:/.test(text), parse: parseNodeTest },
  {
    name: 'jest JSON',
    recognises: (text) => isJson(text) && text.slice(0, HEAD).includes('"numRuntimeErrorTestSuites"'),
    parse: parseJestJson,
  },
  {
    name: 'TAP of several files',
    recognises: (text) => text.startsWith('{"runner":"tap","documents":'),
    parse: parseTapFiles,
  },
  { name: 'vitest JSON', recognises: isJson, parse: parseVitestJson },
  { name: 'TAP', recognises: isTap, parse: parseTap },
];

/** Formats that only our taps write. */
const RECORD_FORMATS: readonly ReportFormat[] = [
  { name: 'go test', recognises: (text) => text.startsWith('{"Action":"start"}'), parse: parseGoTest },
  { name: 'cargo test', recognises: (text) => text.startsWith('cargo test\n'), parse: parseCargoTest },
];

const HEAD = 2000;

/** Reads a report of any known format. */
export function parseReport(text: string): Parsed<TestReport> {
  const format = [...RECORD_FORMATS, ...REPORT_FORMATS].find(({ recognises }) => recognises(text));
  if (format !== undefined) return format.parse(text);
  const known = REPORT_FORMATS.map(({ name }) => name).join(', ');
  return { ok: false, why: `has an unknown format (supported: ${known})` };
}

function isJson(text: string): boolean {
  return /^\uFEFF?\s*\{/.test(text);
}

export function isTap(text: string): boolean {
  return /^TAP version 1[234][ \t\r]*$/m.test(text) || /^\s*(?:1\.\.\d|(?:not )?ok\b)/.test(text);
}

interface OutputFormat extends ReportFormat {
  /** Read only if no runner wrote a report: tests of other runners may print such text. */
  onlyAlone: boolean;
}

/** Output formats of test runners without report files. */
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
    // The version line is required here: other programs print lines that start with `ok`.
    recognises: (text) => /^TAP version 1[234][ \t\r]*$/m.test(text),
    parse: parseTap,
    onlyAlone: true,
  },
];
