import type { Parsed, TestReport, TestStatus } from '../../domain/entities/test-report.ts';
import { isObject } from '../../domain/json/is-object.ts';
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

/** Our taps in these runners write the same shape. */
const OTHER_RUNNERS = ['ava', 'mocha', 'pytest', 'tape', 'unittest'];

/** Reads the JSON that jest defined and vitest writes too: files, each with its results. */
export function parseJestShape(text: string, usual: 'jest' | 'vitest'): Parsed<TestReport> {
  const json = readJson(text);
  if (!json.ok) return json;
  const { value } = json;
  if (!isObject(value) || !Array.isArray(value.testResults)) {
    return { ok: false, why: `is no ${usual} report: it has no list testResults` };
  }
  const runner = OTHER_RUNNERS.find((one) => one === value.runner) ?? usual;
  const report = new ReportBuilder(runner);
  for (const file of value.testResults) addFile(report, file);
  for (const fault of Array.isArray(value.faults) ? value.faults : []) {
    if (!isObject(fault)) continue;
    const about = fault.code === 'assertions-replaced' ? { code: 'assertions-replaced' as const } : {};
    report.addFault(textOf(fault.message) ?? 'an error outside of any test', textOf(fault.file), about);
  }
  if (value.wasInterrupted === true)
    report.addFault('The run was interrupted before every test had run.', undefined, { code: 'interrupted' });
  return { ok: true, value: report.build() };
}

function addFile(report: ReportBuilder, file: unknown): void {
  if (!isObject(file) || !Array.isArray(file.assertionResults)) {
    report.addFault('An entry of testResults has no list assertionResults.', undefined, {
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
  // Without a failing test of its own, a failed file did not load, or a hook around its tests failed.
  if (file.status === 'failed' && (!failing || file.assertionResults.length === 0)) {
    report.addFault(textOf(file.message) || 'The file failed outside of its tests.', name);
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
  // A status nobody knows has not passed.
  const message = status === undefined ? `ended as "${String(textOf(result.status))}"` : textOf(messages[0]);
  report.addTest({ path, file, status: status ?? 'failed', message });
  return status ?? 'failed';
}

/** Reads what `jest --json` writes. */
export function parseJestJson(text: string): Parsed<TestReport> {
  return parseJestShape(text, 'jest');
}

/** Reads what `vitest --reporter=json` writes, and what our own reporter of vitest adds to it. */
export function parseVitestJson(text: string): Parsed<TestReport> {
  return parseJestShape(text, 'vitest');
}
