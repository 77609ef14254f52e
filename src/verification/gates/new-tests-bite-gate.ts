import { posix } from 'node:path';
import { type TestResult, testKey } from '../../domain/entities/test-report.ts';
import type { Facts, GateRules, TestRun, UnnamedSuite } from '../facts.ts';
import { findCase } from '../test-files/match-tests.ts';
import { alterationOf } from '../test-side/altered-tests.ts';
import { isTestSide } from '../test-side/find-test-side.ts';
import { stableKey } from '../test-side/stable-name.ts';
import { type Gate, type Judgement, some } from './gate.ts';
import { judgeTestScripts, judgeTypeTests } from './type-tests-bite.ts';

const REQUIRED_FOR: readonly string[] = ['feature', 'bugfix'];

/** Whether the gate looks at a run of the new tests on the base. */
export function needsNewTestsOnBase({ taskTypes, testsMayPassOnBase }: GateRules): boolean {
  return isRequired(taskTypes) && testsMayPassOnBase !== true;
}

function isRequired(taskTypes: readonly string[]): boolean {
  return taskTypes.some((type) => REQUIRED_FOR.includes(type));
}

/** New tests fail without the change; a test that passes anyway tests something else. */
export const newTestsBiteGate: Gate = {
  name: 'new-tests-bite',
  judge(facts) {
    const { rules, candidate, base, baseWithNewTests } = facts;
    if (!isRequired(rules.taskTypes))
      return {
        result: 'absent',
        required: false,
        code: 'not-asked',
        reason: 'required for features and bug fixes only',
      };
    if (rules.testsMayPassOnBase === true)
      return {
        result: 'pass',
        required: true,
        code: 'accepted',
        reason: 'the task allows new tests to pass on the base',
      };
    if (!candidate || candidate.results.length === 0)
      return {
        result: 'absent',
        required: false,
        code: 'none-named',
        reason: 'the test runner reported no test names',
      };
    const evidence = [base, baseWithNewTests, candidate].flatMap((run) => (run ? [run.evidence.id] : []));
    if (facts.unnamed) return judgeUnnamed(facts, facts.unnamed, evidence);
    const touched = touchedTests(facts, candidate, base);
    if (touched.length === 0)
      return (
        judgeTypeTests(facts, evidence) ??
        judgeTestScripts(facts, candidate, evidence) ?? {
          result: 'fail',
          required: true,
          code: 'none-new',
          reason: whyNone(facts, candidate, base),
          evidence,
        }
      );
    const tests = touched.map(({ test }) => test);
    if (!baseWithNewTests && facts.baseNotRun === undefined && areInSourceFiles(tests, candidate))
      return besideCode(tests, evidence);
    if (!baseWithNewTests || neverEnds(baseWithNewTests, facts)) {
      const why = baseWithNewTests ? 'the run timed out' : facts.baseNotRun;
      const reason = `the new tests could not run on the base${why === undefined ? '' : `: ${why}`}`;
      return { result: 'absent', required: true, code: 'not-run', reason, evidence };
    }
    const packages = newPackages(facts.changes);
    const isInNewPackage = ({ file }: TestResult) =>
      file !== undefined && packages.some((folder) => file.startsWith(`${folder}/`));
    const judged = touched.map((one) => ({
      test: one.test,
      bites:
        bites(one, touched, baseWithNewTests, facts) ??
        (one.isNew && isInNewPackage(one.test) ? true : undefined),
    }));
    const names = (wanted: boolean | undefined) =>
      judged.filter((one) => one.bites === wanted).map(({ test }) => test.name);
    const biting = names(true);
    const asserting = judged.filter((one) => one.bites === true && !isAssertionless(one.test, facts));
    const idle = names(false).filter((name) => !isExcused(name, rules.testsMayPassOnBase));
    const warnings = [
      ...(idle.length > 0 ? [`pass even without the change: ${some(idle)}`] : []),
      ...(baseWithNewTests.evidence.timed_out ? ['the run without the change did not end'] : []),
    ];
    if (biting.length > 0 && asserting.length === 0)
      return {
        result: 'fail',
        required: true,
        code: 'assert-nothing',
        reason: `the new tests contain no assertion that can fail: ${some(biting)}`,
        warnings,
        evidence,
      };
    if (biting.length > 0) {
      const reason = `${biting.length} of ${touched.length} new or altered tests fail without the change`;
      return { result: 'pass', required: true, reason, warnings, evidence };
    }
    if (idle.length > 0)
      return {
        result: 'fail',
        required: true,
        code: 'pass-without-change',
        reason: whyIdle(idle, touched, facts),
        evidence,
      };
    if (names(false).length > 0)
      return {
        result: 'pass',
        required: true,
        code: 'accepted',
        reason: 'the task allows these tests to pass on the base',
        evidence,
      };
    const untried = judged.filter((one) => one.bites === undefined).map(({ test }) => test);
    if (!areInSourceFiles(untried, candidate))
      return {
        result: 'absent',
        required: true,
        code: 'not-tried',
        reason: `no new test could be run without the change: ${some(names(undefined))}; put tests in separate files`,
        evidence,
      };
    return besideCode(untried, evidence);
  },
};

function whyIdle(
  idle: readonly string[],
  touched: readonly TouchedTest[],
  { candidate, testsWithoutNewNames }: Facts,
): string {
  const isUnloaded = ({ test }: TouchedTest) =>
    idle.includes(test.name) && testsWithoutNewNames?.has(testKey(test)) === true;
  if (touched.some(isUnloaded))
    return `no new test uses what its file imports from the change, so none is shown to need it: ${some(idle)}`;
  const altered = touched.every(({ isNew }) => isNew) ? '' : ' or altered';
  const passes = candidate && hasFailures(candidate) ? 'that passes also passes' : 'passes even';
  return `every new${altered} test ${passes} without the change: ${some(idle)}`;
}

function hasFailures({ results }: TestRun): boolean {
  return results.some(({ status }) => status === 'failed');
}

function besideCode(tests: readonly TestResult[], evidence: string[]): Judgement {
  const names = tests.map(({ name }) => name);
  const reason = `the new tests are in the same file as the code and cannot run without it: ${some(names)}`;
  return { result: 'absent', required: false, code: 'beside-code', reason, warnings: [reason], evidence };
}

/** A test that hangs has failed if the tests end on the base without it, and soon on the candidate. */
function neverEnds({ evidence }: TestRun, { base, candidate }: Facts): boolean {
  const isSlow = (candidate?.evidence.duration_ms ?? 0) * 2 > evidence.duration_ms;
  return evidence.timed_out && (base === undefined || base.evidence.timed_out || isSlow);
}

/** Without test names, the command itself has to fail without the change. */
function judgeUnnamed(facts: Facts, { command }: UnnamedSuite, evidence: string[]): Judgement {
  const { testFiles: files, baseNotRun, baseWithNewTests, assertionlessTestFiles = [] } = facts;
  const required = true;
  if (files.length === 0)
    return {
      result: 'fail',
      required,
      code: 'none-new',
      reason: 'the change adds or alters no test',
      evidence,
    };
  if (!baseWithNewTests || neverEnds(baseWithNewTests, facts)) {
    const why = baseWithNewTests ? 'the run timed out' : baseNotRun;
    const reason = `the new tests could not run on the base${why === undefined ? '' : `: ${why}`}`;
    return { result: 'absent', required, code: 'not-run', reason, evidence };
  }
  if (baseWithNewTests.evidence.exit === 0) {
    const reason = `\`${command}\` passes with ${some(files, 3)} even without the change`;
    return { result: 'fail', required, code: 'pass-without-change', reason, evidence };
  }
  if (files.every((path) => assertionlessTestFiles.includes(path))) {
    const reason = `the new tests contain no assertion that can fail: ${some(files, 3)}`;
    return { result: 'fail', required, code: 'assert-nothing', reason, evidence };
  }
  const reason = `\`${command}\` fails with ${some(files, 3)} without the change`;
  return { result: 'pass', required, code: 'unnamed', reason, evidence };
}

interface TouchedTest {
  test: TestResult;
  /** Not among the tests of the base. */
  isNew: boolean;
  /** Only code that it uses was altered. */
  throughHelpers: boolean;
}

/** Passing tests that are new or altered, or that fail on the base with the change's test data; the new ones first. */
function touchedTests(
  { alteredTests, baseWithNewTests }: Facts,
  candidate: TestRun,
  base: TestRun | undefined,
): TouchedTest[] {
  const known = new Set(base?.results.map(stableKey));
  // An old test that never ended: a new file, which shares its process, does not load.
  const failed = baseWithNewTests?.results.filter((test) => test.status === 'failed' && !test.unfinished);
  const failedThere = new Set(failed?.map(stableKey));
  const touched = candidate.results.flatMap((test): TouchedTest[] => {
    if (test.status !== 'passed') return [];
    const key = stableKey(test);
    const isNew = !known.has(key);
    const alteration = alterationOf(test, alteredTests);
    if (alteration === 'none' && !isNew && !failedThere.has(key)) return [];
    return [{ test, isNew, throughHelpers: alteration !== 'own' && !isNew }];
  });
  return touched.sort((one, other) => Number(other.isNew) - Number(one.isNew));
}

/** Names the new tests that were skipped or did not run, since their author expects them to count. */
function whyNone(facts: Facts, candidate: TestRun, base: TestRun | undefined): string {
  const skipped = candidate.results.filter(({ status }) => status === 'skipped');
  const asIfPassed = skipped.map((test) => ({ ...test, status: 'passed' as const }));
  const names = touchedTests(facts, { ...candidate, results: asIfPassed }, base).map(({ test }) => test.name);
  const notRun = facts.alteredTests
    .flatMap(({ cases, throughHelpers }) => (throughHelpers ? [] : (cases?.altered ?? [])))
    .filter((one) => !candidate.results.some(({ name }) => findCase(name, [one]) !== undefined))
    .map(({ name }) => name);
  return [
    'the change adds or alters no passing test',
    ...(names.length === 0 ? [] : [`skipped: ${some(names)}`]),
    ...(notRun.length === 0 ? [] : [`did not run: ${some(notRun)}`]),
  ].join('; ');
}

/** Undefined if the test was not run. */
function bites(
  { test, throughHelpers }: TouchedTest,
  touched: readonly TouchedTest[],
  run: TestRun,
  { testsWithoutNewNames }: Facts,
): boolean | undefined {
  const { results, faults, evidence } = run;
  const there = findResult(results, test);
  // Perhaps the file of another new test, which shares the process, does not load.
  const isCutOff =
    there?.unfinished === true &&
    !evidence.timed_out &&
    touched.some((one) => findResult(results, one.test) === undefined);
  if (isCutOff) return undefined;
  if (there) return there.status !== 'passed';
  // A helper that imports the new code stops every test from loading, whatever the tests check.
  if (throughHelpers) return undefined;
  if (evidence.timed_out) return true;
  if (evidence.exit === 0 && faults.length === 0) return undefined;
  if (testsWithoutNewNames?.has(testKey(test))) return false;
  // The file does not load or the build failed: something that the change adds is missing.
  const named = faults.filter(({ file }) => file !== undefined);
  const ownFault = faults.some(
    ({ file, package: home }) =>
      (file !== undefined && file === test.file) || (home !== undefined && home === test.package),
  );
  const hasNone = results.length === 0 || results.some(({ unfinished }) => unfinished);
  return ownFault || named.length < faults.length || hasNone || test.file === undefined ? true : undefined;
}

/** Rows whose names differ in a date are different tests. */
function findResult(results: readonly TestResult[], test: TestResult): TestResult | undefined {
  return (
    results.find((one) => testKey(one) === testKey(test)) ??
    results.find((one) => stableKey(one) === stableKey(test))
  );
}

const MANIFEST = /^(?:package\.json|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|pyproject\.toml)$/;

/** Folders of packages that the change adds. Without the package, nothing runs its tests on the base. */
function newPackages(changes: Facts['changes']): string[] {
  return changes
    .filter(
      ({ path, change }) => change === 'added' && MANIFEST.test(posix.basename(path)) && !isTestSide(path),
    )
    .map(({ path }) => posix.dirname(path))
    .filter((folder) => folder !== '.');
}

/** Rust keeps tests in the source file. Elsewhere, nobody can see such a test fail. */
function areInSourceFiles(tests: readonly TestResult[], { results }: TestRun): boolean {
  const isInSourceFile = ({ file }: TestResult) => file === undefined || file.endsWith('.rs');
  return tests.every(isInSourceFile) && results.every(isInSourceFile);
}

function isAssertionless({ file }: TestResult, { assertionlessTestFiles = [] }: Facts): boolean {
  return file !== undefined && assertionlessTestFiles.includes(file);
}

function isExcused(name: string, excused: true | readonly string[]): boolean {
  return excused === true || excused.includes(name);
}
