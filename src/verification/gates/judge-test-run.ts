import { describeEvidence } from '../../domain/evidence.ts';
import type { TestRun } from '../facts.ts';
import { countTests } from '../runs/count-tests.ts';
import { type Judgement, some } from './gate.ts';

/** What one run of the tests shows, whatever tree it was on. */
export function judgeTestRun({
  evidence,
  results,
  faults,
}: TestRun): Pick<Judgement, 'result' | 'reason' | 'warnings'> {
  const counts = countTests(results);
  const executed = counts.passed + counts.failed;
  const failed = results.filter(({ status }) => status === 'failed').map(({ name }) => name);
  const ended = describeEvidence({ ...evidence, tests: null });
  const skipped = counts.skipped + counts.todo;
  const warnings = skipped > 0 ? [`${skipped} skipped`] : [];
  if (failed.length > 0)
    return { result: 'fail', reason: `${failed.length} of ${executed} failed: ${some(failed)}` };
  if (evidence.timed_out || evidence.signal !== null || evidence.exit !== 0) {
    const why = faults[0] ? `: ${faults[0].message.split('\n')[0]}` : lastLine(evidence.output_tail);
    return { result: 'fail', reason: `the test command failed (${ended})${why}` };
  }
  const [fault] = faults;
  if (fault) {
    const where = fault.file ? `${fault.file}: ` : '';
    return { result: 'fail', reason: `${where}${fault.message.split('\n')[0]}` };
  }
  if (executed === 0) return { result: 'absent', reason: noneExecuted(skipped) };
  return { result: 'pass', reason: `${executed} passed`, warnings };
}

function noneExecuted(skipped: number): string {
  if (skipped > 0) return `no test was executed: all ${skipped} were skipped`;
  return 'the command ended well but named no test; use a runner that GuardKit can read, or name its report in `verify.tests.report`';
}

function lastLine(tail: string): string {
  const line = tail.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? '' : `: ${line.slice(0, 200)}`;
}
