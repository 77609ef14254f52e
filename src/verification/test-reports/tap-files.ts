import type { Parsed, ReportFault, TestReport, TestResult } from '../../domain/entities/test-report.ts';
import { isObject } from '../../domain/json/is-object.ts';
import { parseTap } from './tap.ts';
import { readJson, textOf } from './untyped-json.ts';

/** Reads what our tap in node-tap keeps: the TAP that each test file wrote. */
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
    if (!parsed.ok) faults.push({ file, message: `The TAP of this file ${parsed.why}` });
    else {
      tests.push(...parsed.value.tests.map((test) => ({ ...test, file })));
      faults.push(...parsed.value.faults.map((fault) => ({ ...fault, file })));
    }
  }
  return { ok: true, value: { runner: 'tap', tests, faults } };
}
