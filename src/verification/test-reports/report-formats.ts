import type { Parsed, TestReport } from '../../domain/entities/test-report.ts';
import { parseCargoTest } from './cargo-test.ts';
import { parseGoTest } from './go-test.ts';
import { parseJestJson } from './jest-json.ts';
import { parseJunitXml } from './junit-xml.ts';
import { parseNodeTest } from './node-test.ts';
import { parseTap } from './tap.ts';
import { parseTapFiles } from './tap-files.ts';
import { parseVitestJson } from './vitest-json.ts';

export interface ReportFormat {
  name: string;
  recognises(text: string): boolean;
  parse(text: string): Parsed<TestReport>;
}

/** The formats of report files, told apart by what is in them; the first that recognises a text reads it. */
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
  return { ok: false, why: `is in no known format (${known})` };
}

function isJson(text: string): boolean {
  return /^\uFEFF?\s*\{/.test(text);
}

export function isTap(text: string): boolean {
  return /^TAP version 1[234][ \t\r]*$/m.test(text) || /^\s*(?:1\.\.\d|(?:not )?ok\b)/.test(text);
}
