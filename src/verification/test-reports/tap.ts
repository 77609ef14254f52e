import type { Parsed, ReportFault, TestReport, TestResult } from '../../domain/entities/test-report.ts';
import { isObject } from '../../domain/json/plain-shape.ts';
import { eachLine } from '../coverage-reports/report-text.ts';
import { ReportBuilder } from './report-builder.ts';
import { readTapLine, TapDocument, type TapLine } from './tap-document.ts';
import { readJson, textOf } from './untyped-json.ts';

/** Longer diagnostics are cut; they are shown, never parsed. */
const LONGEST_YAML = 4000;
/** Deeper indentation is output of a test, not a subtest. */
const DEEPEST = 50;

export interface TapOptions {
  /** A subtest with only assertions inside is one test, as in node-tap; otherwise each result is one. */
  subtestsAreTests?: boolean;
}

/** Reads TAP 12, 13 and 14, including several documents in sequence. Other lines are ignored as output. */
export function parseTap(text: string, { subtestsAreTests = false }: TapOptions = {}): Parsed<TestReport> {
  const report = new ReportBuilder('tap');
  let document = new TapDocument(report, subtestsAreTests);
  let sawTap = false;
  let yaml: { indent: number; text: string } | undefined;
  /** A diagnostic follows its result, indented by two columns. */
  let yamlIndent: number | undefined;
  for (const line of eachLine(text)) {
    const indent = indentOf(line);
    const content = line.slice(indent).trimEnd();
    if (yaml !== undefined) {
      if (content === '...' && indent === yaml.indent) {
        document.diagnose(yaml.text);
        yaml = undefined;
      } else if (yaml.text.length < LONGEST_YAML) yaml.text += `${line.slice(yaml.indent)}\n`;
      continue;
    }
    if (content === '---' && indent === yamlIndent) {
      yaml = { indent, text: '' };
      continue;
    }
    const read: TapLine =
      indent % 4 === 0 && indent / 4 <= DEEPEST ? readTapLine(content) : { type: 'other' };
    yamlIndent = read.type === 'point' ? indent + 2 : undefined;
    if (read.type === 'version' && indent === 0) {
      if (!document.isEmpty) document.end();
      document = new TapDocument(report, subtestsAreTests);
    }
    if (read.type !== 'other' && read.type !== 'comment') sawTap = true;
    document.add(read, indent / 4);
  }
  if (!sawTap) return { ok: false, why: 'is not TAP: it has no version, plan or result' };
  if (yaml !== undefined)
    report.addFault('The TAP ends in the middle of a diagnostic.', undefined, { code: 'cut-off' });
  document.end();
  return { ok: true, value: report.build() };
}

function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === ' ') indent += 1;
  return indent;
}

/** Reads the records of our tap in node-tap: the TAP of each test file. */
export function parseTapFiles(text: string): Parsed<TestReport> {
  const json = readJson(text);
  if (!json.ok) return json;
  const documents = isObject(json.value) && Array.isArray(json.value.documents) ? json.value.documents : [];
  const tests: TestResult[] = [];
  const faults: ReportFault[] = [];
  for (const document of documents) {
    if (!isObject(document)) continue;
    const file = textOf(document.file) ?? '';
    const parsed = parseTap(textOf(document.text) ?? '', { subtestsAreTests: true });
    // A script may have no tests. Whether that is a failure is up to node-tap, which skips it or fails.
    const found = parsed.ok ? parsed.value : { tests: [], faults: [] };
    tests.push(...found.tests.map((test) => ({ ...test, file })));
    faults.push(...found.faults.map((fault) => ({ ...fault, file })));
    const { exit } = document;
    const isExplained = found.faults.length > 0 || found.tests.some(({ status }) => status === 'failed');
    // For example because it could not be loaded.
    if (typeof exit === 'number' && exit !== 0 && !isExplained)
      faults.push({ file, code: 'failed-without-test', message: `The file ended with exit code ${exit}.` });
  }
  return { ok: true, value: { runner: 'tap', tests, faults } };
}
