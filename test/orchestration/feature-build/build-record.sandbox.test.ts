import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { BuildRecord } from '../../../src/orchestration/feature-build/build-record.ts';
import { findCurrentBuild, startedTasks } from '../../../src/orchestration/feature-build/current-build.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aTurn } from '../turn-fixture.ts';

function open() {
  const ledger = openLedger({ path: join(temporaryFolder(), 'ledger.db') });
  onTestFinished(() => ledger.close());
  return ledger;
}

function began(featureId: string, buildId: string) {
  return {
    build_id: buildId,
    feature_id: featureId,
    only_tasks: [],
    base_commit: 'abc',
    definition_hash: 'abc',
    branch: `guardkit/${featureId}`,
    worktree: '/nowhere',
    player_driver: 'script',
    coach_driver: 'script',
    max_turns: 5,
  };
}

const cost = (usd: number) => ({ input_tokens: 0, output_tokens: 0, cost_usd: usd });
const FEATURE = 'FEAT-AUTH';
const TASK = 'TASK-AUTH-001';

it('the cost of a cut-off turn counts after a restart [BUILD-10]', () => {
  const ledger = open();
  const record = new BuildRecord(ledger, 'calc', FEATURE);
  record.begin(began(FEATURE, 'BUILD-1'));
  record.beginTurn('BUILD-1', aTurn({ player_decision: null }), { base_commit: 'abc' });
  record.recordStep('BUILD-1', TASK, 1, 'planned', { end: 'answered', ...cost(0.1) });
  record.recordStep('BUILD-1', TASK, 1, 'cancelled', { role: 'player', ...cost(0.2) });
  expect(record.countedCosts).toBe(0.3);
  expect(new BuildRecord(ledger, 'calc', FEATURE).countedCosts).toBe(0.3);
});

it('an attempt has the turns that began in it', () => {
  const record = new BuildRecord(open(), 'calc', FEATURE);
  record.beginTurn('BUILD-1', aTurn({ completed_at: '2026-01-01T00:00:00Z' }), {});
  record.beginTurn('BUILD-2', aTurn({ turn_number: 2 }), {});
  const numbers = (build: string) => record.turnsOf(build, TASK).map(({ turn_number }) => turn_number);
  expect([numbers('BUILD-1'), numbers('BUILD-2'), numbers('BUILD-3')]).toEqual([[1], [2], []]);
});

it('the current build is the last one of the feature, until it is discarded', () => {
  const ledger = open();
  const record = new BuildRecord(ledger, 'calc', FEATURE);
  expect(findCurrentBuild(ledger, 'calc', FEATURE)).toBeUndefined();
  record.begin(began(FEATURE, 'BUILD-1'));
  record.begin(began(FEATURE, 'BUILD-2'));
  new BuildRecord(ledger, 'calc', 'FEAT-OTHER').begin(began('FEAT-OTHER', 'BUILD-3'));
  expect(findCurrentBuild(ledger, 'calc', FEATURE)).toMatchObject({ build_id: 'BUILD-2', completed: false });
  const done = { feature_id: FEATURE, tip: 'abc', by: 'me' };
  ledger.append('calc', 'feature_completed', { ...done, commit: 'abc', into: 'main' });
  expect(findCurrentBuild(ledger, 'calc', FEATURE)).toMatchObject({ completed: true });
  ledger.append('calc', 'feature_discarded', { ...done, kept: null, reason: '' });
  expect(findCurrentBuild(ledger, 'calc', FEATURE)).toBeUndefined();
});

it('a task is started from its first turn until a reset', () => {
  const ledger = open();
  const record = new BuildRecord(ledger, 'calc', FEATURE);
  record.beginTurn('BUILD-1', aTurn(), { base_commit: 'first' });
  record.beginTurn('BUILD-1', aTurn({ turn_number: 2 }), { base_commit: 'later' });
  expect(startedTasks(ledger, 'calc', FEATURE)).toEqual([{ taskId: TASK, base: 'first' }]);
  ledger.append('calc', 'task_reset', { task_id: TASK, by: 'me', reason: '' });
  expect(startedTasks(ledger, 'calc', FEATURE)).toEqual([]);
});
