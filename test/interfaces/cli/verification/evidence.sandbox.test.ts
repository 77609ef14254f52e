import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLedger } from '../../../../src/store/ledger/open-ledger.ts';
import { expectFailure } from '../../../support/expect-failure.ts';
import { MEASURED_FILES, VerifiedProject } from '../../../support/verified-project.ts';

let calc: VerifiedProject;
beforeEach(() => {
  calc = new VerifiedProject(MEASURED_FILES);
});
afterEach(() => calc.cleanup());

const VOUCH = ['--vouch', 'ui', '--reason', 'looked at it on a phone'];

it('of a task that nobody has verified yet says so', async () => {
  const { stdout, exitCode } = await calc.guardkit(['evidence', 'TASK-001']);
  expect(stdout).toContain('`guardkit verify TASK-001`');
  expect(exitCode).toBe(0);
});

it('of what is neither a feature nor a task is refused, with what was meant', async () => {
  const { stdout, exitCode } = await calc.guardkit(['evidence', 'TASK-01', '--json']);
  expectFailure({ exitCode, ...JSON.parse(stdout).error }, 'work.unknown TASK-01 TASK-001');
  expect(exitCode).toBe(2);
});

it('is vouched for by a person, though not for what there is not', async () => {
  const { exitCode } = await calc.guardkit(['evidence', 'TASK-01', ...VOUCH], { person: true });
  expect(exitCode).toBe(2);
  const vouched = await calc.guardkit(['evidence', 'TASK-001', ...VOUCH], { person: true });
  expect(vouched.stdout).toContain('EV-');
  const ledger = openLedger({ path: `${calc.sandbox.home}/ledger.db` });
  const recorded = ledger.entries('calc-1234', { kind: 'evidence_recorded' });
  ledger.close();
  expect(recorded.map(({ body }) => [body.feature_id, body.check])).toEqual([['TASK-001', 'ui']]);
});
