import type { Parsed, TestReport, TestStatus } from '../../domain/entities/test-report.ts';
import { isObject } from '../../domain/json/plain-shape.ts';
import { ReportBuilder } from './report-builder.ts';
import { readJson, textOf } from './untyped-json.ts';

/** Below this depth a name has only its own part. */
const DEEPEST = 100;

interface Point {
  name: string;
  file: string | undefined;
  passed: boolean;
  skipped: boolean;
  todo: boolean;
  isSuite: boolean;
  failureType: string | undefined;
  message: string | undefined;
  children: Point[];
}

/** Reads the events that our node:test reporter records, one JSON line each. */
export function parseNodeTest(text: string): Parsed<TestReport> {
  const report = new ReportBuilder('node:test');
  // Children come before their parent, one level deeper.
  const waiting = new Map<number, Point[]>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const json = readJson(line);
    if (!json.ok) return json;
    if (!isObject(json.value) || !isObject(json.value.data)) {
      return { ok: false, why: 'is not a node:test report: a line is not an event' };
    }
    const { type, data } = json.value;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const depth = typeof data.nesting === 'number' ? data.nesting : 0;
    const point = readPoint(data, type === 'test:pass', waiting.get(depth + 1) ?? []);
    waiting.delete(depth + 1);
    const level = waiting.get(depth);
    if (level === undefined) waiting.set(depth, [point]);
    else level.push(point);
  }
  for (const [depth, points] of [...waiting].sort(([a], [b]) => a - b)) {
    if (depth > 0)
      report.addFault('A suite started and did not finish.', points[0]?.file, { code: 'suite-open' });
    addPoints(report, points);
  }
  return { ok: true, value: report.build() };
}

function readPoint(data: Record<string, unknown>, passed: boolean, children: Point[]): Point {
  return {
    name: textOf(data.name) ?? '',
    file: textOf(data.file),
    passed,
    skipped: data.skip !== undefined && data.skip !== false,
    todo: data.todo !== undefined && data.todo !== false,
    isSuite: data.type === 'suite',
    failureType: textOf(data.failureType),
    message: textOf(data.message) ?? reason(data.skip) ?? reason(data.todo),
    children,
  };
}

function reason(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function addPoints(report: ReportBuilder, roots: readonly Point[]): void {
  const open = roots.map((point) => ({ point, path: [point.name] })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { point, path } = next;
    addPoint(report, point, path);
    const suites = path.length < DEEPEST ? path : [];
    for (const child of point.children.toReversed())
      open.push({ point: child, path: [...suites, child.name] });
  }
}

function addPoint(report: ReportBuilder, point: Point, path: string[]): void {
  const { file, message, children } = point;
  if (path.length === 1 && isFile(point)) {
    // Node counts a file as a test if it has none, or if it fails outside of them.
    if (!point.passed) report.addFault(message ?? 'The file failed.', file ?? point.name);
    return;
  }
  const ownFailure = !point.passed && point.failureType !== 'subtestsFailed';
  if (point.isSuite && ownFailure && !point.todo) {
    report.addFault(`${path.join(' > ')}: ${message ?? 'the suite failed'}`, file);
  }
  // The tests of a skipped suite are never named, so the suite stands for them.
  const counts = point.isSuite ? point.skipped && children.length === 0 : children.length === 0 || ownFailure;
  if (counts) report.addTest({ path, file, status: statusOf(point), message });
}

function statusOf({ passed, skipped, todo }: Point): TestStatus {
  if (todo) return 'todo';
  if (skipped) return 'skipped';
  return passed ? 'passed' : 'failed';
}

/** Node 20 uses the whole path as the name, later versions the path relative to the start folder. */
function isFile({ name, file, isSuite, passed, children }: Point): boolean {
  if (isSuite || file === undefined || name === '' || children.length > 0) return false;
  const looksLikeFile = /\.[cm]?[jt]sx?$/.test(name) || !passed;
  return file === name || (looksLikeFile && file.endsWith(`/${name}`));
}
