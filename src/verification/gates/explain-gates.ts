import { describeEvidence, type Evidence } from '../../domain/entities/evidence.ts';
import type { GateResult } from '../../domain/entities/verification.ts';
import type { Facts, TestRun } from '../facts.ts';
import { messageLines, tellingLines } from '../output/telling-lines.ts';
import { failedBeyond, judgeTestRun } from './judge-test-run.ts';

const MOST_TESTS = 5;
const LINES_OF_A_TEST = 4;
const MOST_FILES = 10;

/** Adds to each gate that did not pass the command, the lines of its output that matter, and what would satisfy it. */
export function explainGates(gates: readonly GateResult[], facts: Facts): GateResult[] {
  return gates.map((gate) => {
    if (gate.result === 'pass' || gate.manual || (gate.result === 'absent' && !gate.required)) return gate;
    const details = detailsOf(gate, facts);
    const remedy = gate.remedy ?? remedyOf(gate, facts);
    return {
      ...gate,
      ...(details.length > 0 ? { details } : {}),
      ...(remedy === undefined ? {} : { remedy }),
    };
  });
}

function detailsOf({ gate }: GateResult, facts: Facts): string[] {
  const { candidate, coverage, notRun } = facts;
  switch (gate) {
    case 'tests':
      if (candidate) return testDetails(candidate, facts.base);
      return notRun !== undefined && coverage.evidence ? commandDetails(coverage.evidence) : [];
    case 'coverage':
      if (coverage.measured) return (coverage.figures.uncovered ?? []).slice(0, MOST_FILES);
      // What a failed set-up printed is with the tests.
      return coverage.evidence && notRun === undefined ? commandDetails(coverage.evidence) : [];
    case 'checks':
      return [facts.health, ...facts.checks]
        .filter((run) => run !== undefined && run.result !== 'pass')
        .flatMap((run) => (run ? commandDetails(run.evidence) : []));
    default:
      return [];
  }
}

/** Tests that fail on the base too are left out: a red base is reported for itself. */
function testDetails(run: TestRun, base: TestRun | undefined): string[] {
  const all = run.results.filter(({ status }) => status === 'failed');
  const beyond = failedBeyond(run, base);
  const shown = beyond.length > 0 ? beyond : all;
  const explained = shown.filter(({ message }) => message !== undefined && message.trim() !== '');
  const faults = run.faults.slice(0, MOST_TESTS).flatMap(({ file, message }) => {
    const [first = '', ...rest] = messageLines(message, LINES_OF_A_TEST);
    return [`✗ ${file === undefined ? '' : `${file}: `}${first}`, ...rest.map((line) => `  ${line}`)];
  });
  if (explained.length === 0) {
    const [command = '', ...output] = commandDetails(run.evidence);
    return [command, ...faults, ...output];
  }
  const more = shown.length - Math.min(shown.length, MOST_TESTS);
  return [
    commandLine(run.evidence),
    ...shown
      .slice(0, MOST_TESTS)
      .flatMap(({ name, file, message = '' }) => [
        `✗ ${name}${file === undefined || name.startsWith(file) ? '' : ` (${file})`}`,
        ...messageLines(message, LINES_OF_A_TEST).map((line) => `  ${line}`),
      ]),
    ...(more > 0 ? [`${more} more failed`] : []),
    ...faults,
  ];
}

function commandDetails(evidence: Evidence): string[] {
  return [commandLine(evidence), ...tellingLines(evidence.output_tail).map((line) => `  ${line}`)];
}

function commandLine(evidence: Evidence): string {
  return `$ ${evidence.command} (${describeEvidence({ ...evidence, tests: null })})`;
}

/** Undefined where the reason itself says what to do, or another gate's remedy comes first. */
function remedyOf({ gate, result }: GateResult, facts: Facts): string | undefined {
  const { candidate, notRun, rules, coverage, changes } = facts;
  switch (gate) {
    case 'change':
      return 'Make the change; if it is committed already, name the commit before it with --base.';
    case 'tests':
      if (notRun !== undefined) return 'Fix the set-up command, or `verify.setup` in .guardkit/config.yaml.';
      if (!candidate || result === 'absent') return undefined;
      return failsAsOnBase(candidate, facts.base)
        ? 'Fix the base first: nothing fails here that does not fail there.'
        : 'Fix the failing tests, or the code that they test.';
    case 'coverage':
      if (coverage.measured)
        return `Test the changed lines that did not run: ${Math.round(rules.coverageThreshold * 100)} % of them must.`;
      return coverage.evidence && notRun === undefined
        ? 'Make the coverage command write its report where `verify.coverage.report` expects it.'
        : undefined;
    case 'new-tests-bite':
      if (changes.length === 0) return undefined;
      if (candidate && judgeTestRun(candidate).result === 'fail')
        return 'Make the tests pass first: only new tests that pass count here.';
      return 'Add a test that fails without the change and passes with it, or list tests that may pass on the base in the task’s `tests_may_pass_on_base:`.';
    case 'no-test-lost':
      return 'Restore these tests; if they are to go, a person lists them in the task’s `removes_tests:`.';
    case 'checks':
      return notRun === undefined ? 'Make each of these commands end as expected.' : undefined;
    default:
      return undefined;
  }
}

function failsAsOnBase(run: TestRun, base: TestRun | undefined): boolean {
  if (!base || judgeTestRun(base).result !== 'fail') return false;
  const failed = run.results.some(({ status }) => status === 'failed');
  return failed
    ? failedBeyond(run, base).length === 0
    : judgeTestRun(run).reason === judgeTestRun(base).reason;
}
