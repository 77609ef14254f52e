import { BUILT_IN_SCHEMA } from '../../../src/architecture/schema/knowledge-schema.ts';
import type { CheckConfig } from '../../../src/config/project/verify-config.ts';
import type { Evidence } from '../../../src/domain/entities/evidence.ts';
import type { ReportFault, TestResult, TestStatus } from '../../../src/domain/entities/test-report.ts';
import type { Outcome } from '../../../src/domain/entities/verification.ts';
import type { CheckRun, Facts, GateRules, TestRun } from '../../../src/verification/facts.ts';

let runs = 0;

export function someEvidence(over: Partial<Evidence> = {}): Evidence {
  return {
    id: `EV-${++runs}`,
    feature_id: 'FEAT-1',
    task_id: null,
    check: 'tests',
    tree: 'aaaa',
    tree_is: 'candidate',
    base_commit: 'bbbb',
    manual: false,
    reason: '',
    by: 'guardkit',
    command: 'npm test',
    command_hash: 'x',
    exit: 0,
    signal: null,
    timed_out: false,
    tests: null,
    coverage: null,
    found: '',
    output_digest: 'x',
    output_bytes: 0,
    output_tail: '',
    sandbox: null,
    network: 'loopback',
    duration_ms: 1,
    ...over,
  };
}

/** Tests by name; `file: name` puts one into a file. */
export function results(tests: Readonly<Record<string, TestStatus>>): TestResult[] {
  return Object.entries(tests).map(([key, status]) => {
    const at = key.indexOf(': ');
    return at < 0 ? { name: key, status } : { name: key.slice(at + 2), file: key.slice(0, at), status };
  });
}

export function testRun(
  tests: Readonly<Record<string, TestStatus>>,
  { faults = [], ...evidence }: Partial<Evidence> & { faults?: ReportFault[] } = {},
): TestRun {
  return { evidence: someEvidence(evidence), results: results(tests), faults };
}

/** A passing run that changed test files. */
export function rewritingRun(...rewritten: string[]): TestRun {
  const counts = { passed: 1, failed: 0, skipped: 0, todo: 0 };
  const tests = { ...counts, runners: [], faults: [], named: [], results_digest: 'x', rewritten };
  return testRun({ a: 'passed' }, { tests });
}

export function checkRun(
  check: Partial<CheckConfig> & { name: string },
  result: Outcome,
  reason = 'why',
): CheckRun {
  return {
    check: { command: 'true', ...check } as CheckConfig,
    evidence: someEvidence({ check: check.name }),
    result,
    reason,
  };
}

export const RULES: GateRules = {
  taskTypes: ['feature'],
  testsRequired: true,
  testsMustPass: true,
  coverageRequired: true,
  coverageThreshold: 0.8,
  coverageScope: 'changed',
  ui: false,
  testsMayPassOnBase: [],
  removesTests: [],
  changesTests: [],
  criteria: [],
};

/** Facts of a correct change, with the given differences. */
export function someFacts({
  rules,
  ...over
}: Partial<Omit<Facts, 'rules'>> & { rules?: Partial<GateRules> } = {}): Facts {
  return {
    rules: { ...RULES, ...rules },
    notRun: undefined,
    baseNotRun: undefined,
    candidate: testRun({ 'a.test.js: old': 'passed', 'b.test.js: new': 'passed' }),
    base: testRun({ 'a.test.js: old': 'passed' }, { tree_is: 'base' }),
    baseWithNewTests: testRun(
      { 'a.test.js: old': 'passed', 'b.test.js: new': 'failed' },
      { tree_is: 'base_with_new_tests', exit: 1 },
    ),
    coverage: { measured: false, why: 'not measured here' },
    coverageExclusions: [],
    exclusionComments: [],
    changes: [{ path: 'b.js', change: 'added' }],
    alteredTests: [{ file: 'b.test.js', cases: undefined, throughHelpers: false }],
    testFiles: ['b.test.js'],
    baseTests: undefined,
    harness: [],
    losses: [],
    health: undefined,
    checks: [],
    architecture: {
      read: true,
      change: { before: undefined, after: undefined },
      schema: BUILT_IN_SCHEMA,
      missingPaths: new Set(),
    },
    ...over,
  };
}
