import type { ReportFault } from '../../domain/test-report.ts';
import { testKey } from '../../domain/test-report.ts';
import type { TestRun } from '../facts.ts';
import type { Judgement } from './gate.ts';
import { some } from './gate.ts';
import { judgeTestRun } from './judge-test-run.ts';

/** Where a person accepted a base whose tests fail: what fails there too is not the change's, and all else counts. */
export function judgeBeyondBase(
  run: TestRun,
  base: TestRun | undefined,
): Pick<Judgement, 'result' | 'reason' | 'warnings'> {
  const whole = judgeTestRun(run);
  const { evidence, results, faults } = run;
  if (whole.result !== 'fail' || evidence.timed_out || evidence.signal !== null) return whole;
  if (!base || judgeTestRun(base).result !== 'fail') return whole;
  const failed = results.filter(({ status }) => status === 'failed');
  const failedBefore = new Set(base.results.filter(({ status }) => status === 'failed').map(testKey));
  const fresh = failed.filter((test) => !failedBefore.has(testKey(test))).map(({ name }) => name);
  if (fresh.length > 0)
    return { result: 'fail', reason: `${fresh.length} did not fail on the base: ${some(fresh)}` };
  const faultsBefore = new Set(base.faults.map(faultKey));
  const fault = faults.find((one) => !faultsBefore.has(faultKey(one)));
  if (fault) return { result: 'fail', reason: `not on the base: ${faultKey(fault)}` };
  // What failed without a name can only be told by how the command ended.
  if (failed.length + faults.length === 0 && evidence.exit !== base.evidence.exit) return whole;
  const passed = results.filter(({ status }) => status === 'passed').length;
  if (passed === 0) return { result: 'absent', reason: 'no test passed' };
  return {
    result: 'pass',
    reason: `${passed} passed; what fails, fails on the base too: ${whole.reason}`,
    warnings: ['a person accepted a base whose tests fail'],
  };
}

function faultKey({ file, message }: ReportFault): string {
  const [first = ''] = message.split('\n', 1);
  return file === undefined ? first : `${file}: ${first}`;
}
