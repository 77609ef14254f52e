import { describeEvidence, type Evidence } from '../../domain/entities/evidence.ts';
import type { GateResult } from '../../domain/entities/verification.ts';
import type { Facts, GateRules, TestRun } from '../facts.ts';
import { messageLines, relevantLines } from '../output/relevant-lines.ts';
import { failedBeyond, judgeTestRun } from './judge-test-run.ts';

const MOST_TESTS = 5;
const LINES_OF_A_TEST = 4;
const MOST_FILES = 10;

/** Adds to each gate that did not pass: the command, the relevant lines of its output, and the remedy. */
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
      // The output of a failed set-up or of failing tests is shown with the tests.
      return coverage.evidence && notRun === undefined && !testsFail(facts)
        ? commandDetails(coverage.evidence)
        : [];
    case 'checks':
      return [facts.health, ...facts.checks]
        .filter((run) => run !== undefined && run.result !== 'pass')
        .flatMap((run) => (run ? commandDetails(run.evidence) : []));
    default:
      return [];
  }
}

/** Leaves out tests that also fail on the base: a red base is reported separately. */
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
  return [commandLine(evidence), ...relevantLines(evidence.output_tail).map((line) => `  ${line}`)];
}

function commandLine(evidence: Evidence): string {
  return `$ ${evidence.command} (${describeEvidence({ ...evidence, tests: null })})`;
}

/** Undefined if the reason already contains the remedy, or another gate's remedy comes first. */
function remedyOf({ gate, result, code }: GateResult, facts: Facts): string | undefined {
  const { candidate, notRun, coverage, changes } = facts;
  if (code === 'tests-rewritten')
    return 'Run the test command and keep what it changes in test files, such as formatting. Code under test must not write them.';
  switch (gate) {
    case 'change':
      return 'Make the change. If it is already committed, pass the commit before it with --base.';
    case 'tests':
      if (notRun !== undefined) return setupRemedy(changes);
      if (!candidate || result === 'absent' || code === 'cannot-fail') return undefined;
      return failsAsOnBase(candidate, facts.base)
        ? 'Fix the base first: every failure here also occurs there.'
        : 'Fix the failing tests or the code they test.';
    case 'coverage':
      if (coverage.measured) return coverageRemedy(code, facts.rules);
      if (!coverage.evidence || notRun !== undefined) return undefined;
      return testsFail(facts)
        ? 'Make the tests pass first: many commands write their coverage report only then.'
        : 'Make the coverage command write its report to the path in `verify.coverage.report`.';
    case 'new-tests-bite':
      if (changes.length === 0) return undefined;
      if (code === 'not-run') return 'Make the tests run on the base.';
      if (code === 'assert-nothing') return 'Add an assertion to the new tests.';
      if (testsFail(facts)) return 'Make the tests pass first: only passing new tests count here.';
      return 'Add a test that fails without the change and passes with it, or list it under `tests_may_pass_on_base:` in the task.';
    case 'no-test-lost':
      return 'Restore these tests. To remove them on purpose, a person must list them under `removes_tests:` in the task.';
    case 'checks':
      return notRun === undefined ? 'Make each of these checks pass.' : undefined;
    default:
      return undefined;
  }
}

function testsFail({ candidate }: Facts): boolean {
  return candidate !== undefined && judgeTestRun(candidate).result === 'fail';
}

const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

function setupRemedy(changes: Facts['changes']): string {
  const removed = changes.find(({ path, change }) => change === 'deleted' && LOCK_FILE.test(path));
  return removed === undefined
    ? 'Fix the failing set-up command, or change `verify.setup` in .guardkit/config.yaml.'
    : `The change removes ${removed.path}, which the set-up of the base needs. If the project switches to another package manager, a person must first commit the new \`verify.setup\` and test command.`;
}

function coverageRemedy(code: string | undefined, rules: GateRules): string | undefined {
  if (code === 'no-figure') return 'Write a coverage report with the lines of this tree, for example lcov.';
  if (code !== 'below-threshold') return undefined;
  const lines =
    rules.coverageScope === 'changed' ? 'uncovered changed lines' : 'uncovered lines of the project';
  return `Add tests for the ${lines}; at least ${Math.round(rules.coverageThreshold * 100)}% must run.`;
}

function failsAsOnBase(run: TestRun, base: TestRun | undefined): boolean {
  if (!base || judgeTestRun(base).result !== 'fail') return false;
  const failed = run.results.some(({ status }) => status === 'failed');
  return failed
    ? failedBeyond(run, base).length === 0
    : judgeTestRun(run).reason === judgeTestRun(base).reason;
}
