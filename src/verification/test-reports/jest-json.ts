import type { Parsed, TestReport, TestStatus } from '../../domain/entities/test-report.ts';
import { isObject } from '../../domain/json/plain-shape.ts';
import { ReportBuilder } from './report-builder.ts';
import { readJson, textOf } from './untyped-json.ts';

const STATUSES: ReadonlyMap<unknown, TestStatus> = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['pending', 'skipped'],
  ['skipped', 'skipped'],
  ['disabled', 'skipped'],
  ['focused', 'skipped'],
  ['todo', 'todo'],
]);

/** Our taps in these runners write the same format. */
const OTHER_RUNNERS = ['ava', 'jasmine', 'lab', 'mocha', 'pytest', 'tape', 'unittest', 'uvu'];

/** Reads the JSON format of jest, which vitest writes too: files, each with its results. */
export function parseJestShape(text: string, usual: 'jest' | 'vitest'): Parsed<TestReport> {
  const json = readJson(text);
  if (!json.ok) return json;
  const { value } = json;
  if (!isObject(value) || !Array.isArray(value.testResults)) {
    return { ok: false, why: `is not a ${usual} report: no list testResults` };
  }
  const runner = OTHER_RUNNERS.find((one) => one === value.runner) ?? usual;
  const report = new ReportBuilder(runner);
  for (const file of value.testResults) addFile(report, file);
  for (const fault of Array.isArray(value.faults) ? value.faults : []) {
    if (!isObject(fault)) continue;
    const about = fault.code === 'assertions-replaced' ? { code: 'assertions-replaced' as const } : {};
    report.addFault(textOf(fault.message) ?? 'an error outside any test', textOf(fault.file), about);
  }
  if (value.wasInterrupted === true)
    report.addFault('The run was interrupted before every test had run.', undefined, { code: 'interrupted' });
  return { ok: true, value: report.build() };
}

function addFile(report: ReportBuilder, file: unknown): void {
  if (!isObject(file) || !Array.isArray(file.assertionResults)) {
    report.addFault('An entry of testResults has no assertionResults list.', undefined, {
      code: 'malformed',
    });
    return;
  }
  const name = textOf(file.name);
  let failing = false;
  for (const result of file.assertionResults) {
    const status = addResult(report, result, name);
    if (status === 'failed') failing = true;
  }
  // A failed file without a failing test did not load, or a hook around its tests failed.
  if (file.status === 'failed' && (!failing || file.assertionResults.length === 0)) {
    report.addFault(textOf(file.message) || 'The file failed outside its tests.', name);
  }
}

function addResult(report: ReportBuilder, result: unknown, file: string | undefined): TestStatus | undefined {
  if (!isObject(result)) {
    report.addFault('A test result is not an object.', file, { code: 'malformed' });
    return undefined;
  }
  const suites = Array.isArray(result.ancestorTitles) ? result.ancestorTitles : [];
  const path = [...suites, result.title].map((part) => textOf(part) ?? '');
  const status = STATUSES.get(result.status);
  const messages = Array.isArray(result.failureMessages) ? result.failureMessages : [];
  // An unknown status counts as failed.
  const message = status === undefined ? `ended as "${String(textOf(result.status))}"` : textOf(messages[0]);
  const unfinished = result.status === 'unfinished';
  report.addTest({ path, file, status: status ?? 'failed', message, unfinished });
  return status ?? 'failed';
}

/** Reads the output of `jest --json`. */
export function parseJestJson(text: string): Parsed<TestReport> {
  return parseJestShape(text, 'jest');
}

/** Reads the output of `vitest --reporter=json`, with the additions of our own vitest reporter. */
export function parseVitestJson(text: string): Parsed<TestReport> {
  return parseJestShape(text, 'vitest');
}
