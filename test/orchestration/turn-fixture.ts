import {
  type CoachVerdict,
  coachVerdictSchema,
  type PlayerReport,
  playerReportSchema,
} from '../../src/domain/entities/agent-answers.ts';
import type { TestResult } from '../../src/domain/entities/test-report.ts';
import { type TurnState, turnStateSchema } from '../../src/domain/entities/turn-state.ts';
import type { GateResult } from '../../src/domain/entities/verification.ts';
import type { TurnEvidence } from '../../src/orchestration/turns/turn-evidence.ts';

export const CRITERIA = [
  { id: 'AC-001', text: 'User can log in' },
  { id: 'AC-002', text: 'Session persists' },
  { id: 'AC-003', text: 'Rate limiting' },
];

export function aTurn(more: Record<string, unknown> = {}): TurnState {
  return turnStateSchema.parse({
    feature_id: 'FEAT-AUTH',
    task_id: 'TASK-AUTH-001',
    turn_number: 1,
    mode: 'fresh_start',
    player_decision: 'implemented',
    ...more,
  });
}

export function aVerdict(more: Record<string, unknown> = {}): CoachVerdict {
  return coachVerdictSchema.parse({ decision: 'approved', ...more });
}

export function aReport(more: Record<string, unknown> = {}): PlayerReport {
  return playerReportSchema.parse({ decision: 'implemented', ...more });
}

export function aGate(gate: string, result: GateResult['result'] = 'pass', more: Partial<GateResult> = {}) {
  const reason = { pass: 'it passed', fail: 'it failed', absent: 'it was not run' }[result];
  return { gate, result, required: true, reason, warnings: [], manual: false, evidence: [], ...more };
}

export const TESTS: TestResult[] = [
  { name: 'login > accepts a known user', file: 'test/login.test.js', status: 'passed' },
  { name: 'session > survives a restart', file: 'test/session.test.js', status: 'passed' },
  { name: 'limits > refuses the sixth try', file: 'test/limits.test.js', status: 'passed' },
];

export function someEvidence(more: Partial<TurnEvidence> & { gates?: GateResult[] } = {}): TurnEvidence {
  const { gates = [aGate('change'), aGate('tests'), aGate('coverage')], ...rest } = more;
  const tests = rest.tests ?? TESTS;
  const counted = (status: TestResult['status']) => tests.filter((test) => test.status === status).length;
  const required = gates.filter((gate) => gate.required);
  return {
    verification: {
      id: 'VER-0123456789ab',
      feature_id: 'FEAT-AUTH',
      task_id: 'TASK-AUTH-001',
      tree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      base_commit: '0000000000000000000000000000000000000001',
      definition_hash: 'abc',
      outcome: required.every(({ result }) => result === 'pass') ? 'pass' : 'fail',
      gates,
      sandbox: null,
      duration_ms: 1200,
    },
    tests,
    testCounts: { passed: counted('passed'), failed: counted('failed'), skipped: counted('skipped') },
    faults: [],
    checks: [],
    coverage: 91.5,
    changes: [
      { path: 'src/login.js', change: 'modified' },
      { path: 'test/login.test.js', change: 'added' },
    ],
    testsRequired: true,
    changedTests: [],
    ...rest,
  };
}
