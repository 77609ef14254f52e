import { describeEvidence } from '../../domain/entities/evidence.ts';
import type { TestResult } from '../../domain/entities/test-report.ts';
import type { TestRun } from '../facts.ts';
import { tellingLines } from '../output/telling-lines.ts';
import { countTests } from '../runs/count-tests.ts';
import { type Judgement, some } from './gate.ts';

export type TestsJudgement = Pick<Judgement, 'result' | 'reason' | 'code' | 'warnings'>;

/** What one run of the tests shows, whatever tree it was on. */
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

/** By name while they are few, else by the files that they are in. */
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
  if (skipped > 0) return `no test was executed: all ${skipped} were skipped`;
  return 'the command ended well but named no test; use a runner that GuardKit can read, or name its report in `verify.tests.report`';
}

function firstTelling(tail: string): string {
  const [line = ''] = tellingLines(tail, 2);
  return line === '' ? '' : `: ${line.trim().slice(0, 200)}`;
}
