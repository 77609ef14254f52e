import { describeEvidence } from '../../domain/entities/evidence.ts';
import { type ReportFault, type TestResult, testKey } from '../../domain/entities/test-report.ts';
import type { TestRun } from '../facts.ts';
import { relevantLines } from '../output/relevant-lines.ts';
import { countTests } from '../test-reports/merge-reports.ts';
import { type Judgement, some } from './gate.ts';

export type TestsJudgement = Pick<Judgement, 'result' | 'reason' | 'code' | 'warnings' | 'remedy'>;

/** Judges one test run, on any tree. */
export function judgeTestRun({ evidence, results, faults }: TestRun): TestsJudgement {
  const counts = countTests(results);
  const executed = counts.passed + counts.failed;
  const failed = results.filter(({ status }) => status === 'failed');
  const ended = describeEvidence({ ...evidence, tests: null });
  const skipped = counts.skipped + counts.todo;
  const warnings = skipped > 0 ? [`${skipped} skipped`] : [];
  if (failed.length > 0)
    return {
      result: 'fail',
      code: 'tests-failed',
      reason: `${failed.length} of ${executed} failed${nameFailed(failed)}`,
    };
  if (evidence.timed_out || evidence.signal !== null || evidence.exit !== 0) {
    const why = faults[0] ? `: ${faults[0].message.split('\n')[0]}` : firstTelling(evidence.output_tail);
    return { result: 'fail', code: 'command-failed', reason: `the test command failed (${ended})${why}` };
  }
  const [fault] = faults;
  if (fault) {
    const where = fault.file ? `${fault.file}: ` : '';
    return {
      result: 'fail',
      code: 'report-fault',
      reason: `${where}${fault.message.split('\n')[0]}`,
    };
  }
  if (executed === 0) return { result: 'absent', code: 'none-executed', reason: noneExecuted(skipped) };
  return { result: 'pass', reason: `${executed} passed`, warnings };
}

const MOST_NAMED = 5;

/** Lists a few failures by name, many by file. */
export function nameFailed(failed: readonly TestResult[]): string {
  const names = failed.map(({ name }) => name);
  if (failed.length <= MOST_NAMED) return `: ${names.join(', ')}`;
  const files = new Map<string, number>();
  for (const { file, package: home } of failed) {
    const place = file ?? home ?? 'no file';
    files.set(place, (files.get(place) ?? 0) + 1);
  }
  if (files.size === 1 && files.has('no file')) return `: ${some(names)}`;
  const largest = [...files].sort(([, a], [, b]) => b - a).map(([file, count]) => `${file} (${count})`);
  return `, in ${some(largest)}`;
}

function noneExecuted(skipped: number): string {
  if (skipped > 0) return `no test ran: all ${skipped} were skipped; at least one must run`;
  return 'the test command exited 0 but reported no test; use a supported runner, or set its report file in `verify.tests.report`';
}

function firstTelling(tail: string): string {
  const [line = ''] = relevantLines(tail, 2);
  return line === '' ? '' : `: ${line.trim().slice(0, 200)}`;
}

/** For a base with failing tests that a person accepted: only failures that the base does not have count. */
export function judgeBeyondBase(run: TestRun, base: TestRun | undefined): TestsJudgement {
  const whole = judgeTestRun(run);
  const { evidence, results, faults } = run;
  if (whole.result !== 'fail' || evidence.timed_out || evidence.signal !== null) return whole;
  if (!base || judgeTestRun(base).result !== 'fail') return whole;
  const failed = results.filter(({ status }) => status === 'failed');
  const failedBefore = new Set(base.results.filter(({ status }) => status === 'failed').map(testKey));
  const fresh = failed.filter((test) => !failedBefore.has(testKey(test))).map(({ name }) => name);
  if (fresh.length > 0)
    return {
      result: 'fail',
      code: 'tests-failed',
      reason: `${fresh.length} failed that did not fail on the base: ${some(fresh)}`,
    };
  const faultsBefore = new Set(base.faults.map(faultKey));
  const fault = faults.find((one) => !faultsBefore.has(faultKey(one)));
  if (fault)
    return {
      result: 'fail',
      code: 'report-fault',
      reason: `new since the base: ${faultKey(fault)}`,
    };
  // A failure without a test name can only be recognized by the exit code.
  if (failed.length + faults.length === 0 && evidence.exit !== base.evidence.exit) return whole;
  const passed = results.filter(({ status }) => status === 'passed').length;
  if (passed === 0)
    return { result: 'absent', code: 'none-passed', reason: 'no test passed; at least one must' };
  return {
    result: 'pass',
    code: 'red-base-accepted',
    reason: `${passed} passed; the failures are also on the base: ${whole.reason}`,
    warnings: ['a person accepted a base with failing tests'],
  };
}

/**
 * For a base with failing tests that nobody accepted: its failures count, but only the new ones are named, since the
 * base is reported separately.
 */
export function judgeOnBase(run: TestRun, base: TestRun | undefined): TestsJudgement {
  const whole = judgeTestRun(run);
  const failed = run.results.filter(({ status }) => status === 'failed');
  if (whole.result !== 'fail' || failed.length === 0 || !base || judgeTestRun(base).result !== 'fail')
    return whole;
  const beyond = failedBeyond(run, base);
  const old = failed.length - beyond.length;
  if (old === 0) return whole;
  const others = `${old} ${old === 1 ? 'fails' : 'fail'} on the base as well`;
  return beyond.length > 0
    ? {
        result: 'fail',
        code: 'tests-failed',
        reason: `${beyond.length} failed that did not fail on the base${nameFailed(beyond)}; ${others}`,
      }
    : { result: 'fail', code: 'red-base', reason: `no new failures; ${others}` };
}

/** Tests that fail here and did not fail on the base. */
export function failedBeyond({ results }: TestRun, base: TestRun | undefined): TestResult[] {
  const before = new Set(
    (base?.results ?? []).filter(({ status }) => status === 'failed').map((test) => testKey(test)),
  );
  return results.filter((test) => test.status === 'failed' && !before.has(testKey(test)));
}

function faultKey({ file, message }: ReportFault): string {
  const [first = ''] = message.split('\n', 1);
  return file === undefined ? first : `${file}: ${first}`;
}
