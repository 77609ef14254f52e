import type { ReportFault, TestResult } from '../../domain/entities/test-report.ts';
import { testKey } from '../../domain/entities/test-report.ts';
import type { TestRun } from '../facts.ts';
import { some } from './gate.ts';
import { judgeTestRun, nameFailed, type TestsJudgement } from './judge-test-run.ts';

/** Where a person accepted a base whose tests fail: what fails there too is not the change's, and all else counts. */
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
      reason: `${fresh.length} did not fail on the base: ${some(fresh)}`,
    };
  const faultsBefore = new Set(base.faults.map(faultKey));
  const fault = faults.find((one) => !faultsBefore.has(faultKey(one)));
  if (fault)
    return {
      result: 'fail',
      code: 'report-fault',
      reason: `not on the base: ${faultKey(fault)}`,
    };
  // What failed without a name can only be told by how the command ended.
  if (failed.length + faults.length === 0 && evidence.exit !== base.evidence.exit) return whole;
  const passed = results.filter(({ status }) => status === 'passed').length;
  if (passed === 0) return { result: 'absent', code: 'none-passed', reason: 'no test passed' };
  return {
    result: 'pass',
    code: 'red-base-accepted',
    reason: `${passed} passed; what fails, fails on the base too: ${whole.reason}`,
    warnings: ['a person accepted a base whose tests fail'],
  };
}

/**
 * The tests of a candidate on a base whose tests fail too, which nobody has accepted: the base's failures count, but only
 * those beyond it are named, since the base's are reported for themselves.
 */
export function judgeOnBase(run: TestRun, base: TestRun | undefined): TestsJudgement {
  const whole = judgeTestRun(run);
  const failed = run.results.filter(({ status }) => status === 'failed');
  if (whole.result !== 'fail' || failed.length === 0 || !base || judgeTestRun(base).result !== 'fail')
    return whole;
  const beyond = failedBeyond(run, base);
  const old = failed.length - beyond.length;
  if (old === 0) return whole;
  const others = `${old} ${old === 1 ? 'fails' : 'fail'} on the base too`;
  return beyond.length > 0
    ? {
        result: 'fail',
        code: 'tests-failed',
        reason: `${beyond.length} failed beyond the base${nameFailed(beyond)}; ${others}`,
      }
    : { result: 'fail', code: 'red-base', reason: `nothing fails beyond the base; ${others}` };
}

/** Tests that fail here and did not on the base. */
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
