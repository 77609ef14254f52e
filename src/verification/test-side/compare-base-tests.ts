import { posix } from 'node:path';
import { type TestResult, testKey } from '../../domain/entities/test-report.ts';
import type { ChangedTest, TestRun } from '../facts.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import { findCase, groupBy } from '../test-files/match-tests.ts';
import { readTestCases } from '../test-files/read-test-cases.ts';
import { sourceTokens } from '../test-files/source-tokens.ts';
import { isMark } from '../test-files/token.ts';
import { withoutImports } from './loadable-imports.ts';
import { testsNeeding } from './names-needing.ts';
import { nameInFile, stableKey, stableName } from './stable-name.ts';
import type { RemovedName } from './without-broken-code.ts';

export interface BaseTestsComparison {
  compared: number;
  changed: Omit<ChangedTest, 'changedFiles' | 'accepted' | 'before' | 'after'>[];
}

interface ComparedRuns {
  base: TestRun;
  /** The run of the base's tests on the candidate. */
  withBaseTests: TestRun;
  /** The test files that the run was limited to; undefined for all. */
  selected: ReadonlySet<string> | undefined;
  /** The base's tests, helpers and fixtures. */
  files: readonly TestFile[];
  removedNames: ReadonlyMap<string, ReadonlySet<string>>;
  /** A helper of this test file needs a removed name. */
  withoutHelpers(file: string): boolean;
  /** Tests and helpers that do not compile on the candidate, and did not run. */
  removed: readonly RemovedName[];
  /** Tests with wrong types, which ran all the same. */
  wrongTests: readonly Pick<RemovedName, 'file' | 'name'>[];
  /** Whether a changed source declares the name on the base, and none has the word any more, or another one declares it. */
  isRemovedOrMoved(name: string): boolean;
  /** From a path on the base to its path in the candidate. */
  renames: ReadonlyMap<string, string>;
  /** Whether a line is the candidate's own, and not part of the base's tests. */
  isOwnCode(file: string, line: number): boolean;
}

/** How runners and compilers report a missing file, package or name. */
const NOT_LOADED =
  /ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|Cannot find (?:module|package|name)|does not provide an export|Failed to (?:resolve|load)|Could not resolve|(?:Import|ModuleNotFound)Error|cannot import name|has no exported member|TS\d{4}\b|\[build failed\]|\[setup failed\]|undefined: \w|no required module|is not in std|error\[E\d{4}\]|could not compile|SyntaxError|is not defined in ES module scope/;

/** How JavaScript, Python and libraries for mocks report a function or method that an object or module does not have. */
const NO_FUNCTION =
  /([\w$]+)\)? is not a (?:function|constructor)\b|(?:has no|does not have the) attribute '(\w+)'|(?:non-existent property |[Pp]roperty [`"]|spy (?:on )?the )([\w$]+)|^(?:Error: )?([\w$]+) does not exist$/m;

/** A name that Rust does not find, with its place. In the candidate's own code, it is a name of the candidate's tests. */
const UNRESOLVED = /^error\[(E0412|E0425|E0432|E0433)\][\s\S]{0,2000}?--> ([^\s:]+\.rs):(\d+):\d+/;

/** Compares the tests that passed on the base with their results on the candidate. */
export function compareBaseTests(runs: ComparedRuns): BaseTestsComparison {
  const { base, withBaseTests, selected } = runs;
  const now = new Map<string, TestResult>();
  // Of a test that ran twice, such as in two builds, the failure counts.
  for (const result of withBaseTests.results)
    if ((now.get(keyOf(result))?.status ?? 'passed') === 'passed') now.set(keyOf(result), result);
  const isLeftOut = leftOut(runs);
  const needsRemovedName = needingRemovedName(runs);
  const likeNamed = groupBy(withBaseTests.results, stableKey);
  const tests = base.results.filter(
    (test) =>
      test.status === 'passed' &&
      (selected === undefined || (test.file === undefined ? !isLeftOut(test) : selected.has(test.file))),
  );
  const expected = groupBy(tests, stableKey);
  const changed: BaseTestsComparison['changed'] = [];
  for (const test of tests) {
    const { name, file } = test;
    const places = [test, ...movedTests(test, runs.renames)];
    const found =
      places.map((one) => now.get(keyOf(one))).find((one) => one !== undefined) ??
      places.map((one) => renamedByRun(one, expected, likeNamed)).find((one) => one !== undefined);
    if (found?.status === 'passed') continue;
    const isWrong = runs.wrongTests.some((one) => one.file === file && isRemoved(test, one));
    if (found) {
      const isUnclear = isWrong || needsRemovedName(test) || callsRemovedName(test, found, runs);
      const outcome = isUnclear && found.status === 'failed' ? 'not-comparable' : 'fails';
      changed.push({
        name,
        file,
        outcome,
        message: found.message ?? (found.status === 'failed' ? 'it failed' : `it is ${found.status}`),
      });
    } else {
      const removed = runs.removed.find((one) => isRemoved(test, one));
      const why = removed ? { loads: false, message: removed.message } : whyMissing(test, runs);
      changed.push({
        name,
        file,
        outcome: isWrong || usesRemovedName(test, runs) || !why.loads ? 'not-comparable' : 'fails',
        message: why.message,
      });
    }
  }
  return { compared: tests.length, changed };
}

/** Whether a test fails because its file calls something by a name that the change removes, or moves to another file. */
function callsRemovedName({ file }: TestResult, { message = '' }: TestResult, runs: ComparedRuns): boolean {
  const name = NO_FUNCTION.exec(message)
    ?.slice(1)
    .find((one) => one !== undefined);
  const text = runs.files.find(({ path }) => path === file)?.text ?? '';
  return name !== undefined && text.split(/[^\w$]+/).includes(name) && runs.isRemovedOrMoved(name);
}

/** Whether a test, or the function of a subtest, is this removed one. */
export function isRemoved(
  { name, file }: Pick<TestResult, 'name' | 'file'>,
  removed: Pick<RemovedName, 'file' | 'name'>,
): boolean {
  const folder = posix.dirname(removed.file);
  const isNear = file === undefined || `${folder}/`.startsWith(`${posix.dirname(file)}/`);
  return isNear && name.split(' > ').includes(removed.name);
}

/** Cargo names tests in source files by their crate's root, without a file. */
const IN_SOURCE = /^\S+ \([^()]+\.rs\) > /;

/** Cargo limited to integration tests leaves out those in source files, which are compared as text. */
function leftOut({ base, withBaseTests, selected }: ComparedRuns): (test: TestResult) => boolean {
  const isLimited =
    selected !== undefined &&
    [...selected].every((file) => file.endsWith('.rs')) &&
    base.results.some(({ file }) => file !== undefined && selected.has(file)) &&
    withBaseTests.results.every(({ file }) => file !== undefined);
  return ({ name }) => isLimited && IN_SOURCE.test(name);
}

function keyOf(test: TestResult): string {
  return testKey({ ...test, name: nameInFile(test) });
}

/** A test in a source moves with it; in Rust, its name contains the module instead of the file. */
function movedTests(test: TestResult, renames: ReadonlyMap<string, string>): TestResult[] {
  const { name, file } = test;
  if (file !== undefined) {
    const to = renames.get(file);
    return to === undefined ? [] : [{ ...test, name: nameInFile(test), file: to }];
  }
  if (!IN_SOURCE.test(name)) return [];
  return [...renames].flatMap(([from, to]) => {
    const moved = name.replace(`) > ${modulePath(from)}`, () => `) > ${modulePath(to)}`);
    return moved === name ? [] : [{ ...test, name: moved }];
  });
}

/** Of `src/a/b.rs` and `src/a/b/mod.rs`, `a > b > `. */
export function modulePath(path: string): string {
  const [, module = ''] = /(?:^|\/)src\/(.+?)(?:\/mod)?\.rs$/.exec(path) ?? [];
  return `${module.split('/').join(' > ')} > `;
}

/** The result of a test whose name varies with each run, such as one with a measured time, if as many of them ran as before. */
function renamedByRun(
  test: TestResult,
  before: ReadonlyMap<string, readonly TestResult[]>,
  now: ReadonlyMap<string, readonly TestResult[]>,
): TestResult | undefined {
  if (stableName(test.name) === test.name) return undefined;
  const key = stableKey(test);
  const results = now.get(key) ?? [];
  if (results.length < (before.get(key)?.length ?? 1)) return undefined;
  return results.find(({ status }) => status !== 'passed') ?? results[0];
}

/** Finds the tests that ran and need a removed name. */
function needingRemovedName(runs: ComparedRuns): (test: TestResult) => boolean {
  const known = new Map<string, (name: string) => boolean>();
  const judge = (path: string) => {
    const file = runs.files.find((one) => one.path === path);
    const removed = runs.removedNames.get(path);
    return file === undefined || removed === undefined || runs.withoutHelpers(path)
      ? () => true
      : testsNeeding(file, removed);
  };
  return (test) => {
    if (!usesRemovedName(test, runs)) return false;
    const path = test.file ?? '';
    const needs = known.get(path) ?? judge(path);
    known.set(path, needs);
    return needs(test.name);
  };
}

/** Whether the test, or any shared code of its file, which may keep the file from loading, needs a removed name. */
export function usesRemovedName(
  { name, file }: TestResult,
  { files, removedNames, withoutHelpers }: Pick<ComparedRuns, 'files' | 'removedNames' | 'withoutHelpers'>,
): boolean {
  if (file !== undefined && withoutHelpers(file)) return true;
  const removed = file === undefined ? undefined : removedNames.get(file);
  const text = files.find(({ path }) => path === file)?.text;
  if (removed === undefined || text === undefined || file === undefined) return false;
  const { cases } = readTestCases(file, text);
  const own = findCase(name, cases);
  if (own === undefined) return true;
  const lines = withoutImports(file, text).split('\n');
  const others = cases.filter((one) => one !== own).flatMap((one) => range(one.lines));
  const hidden = new Set(others.filter((line) => line < own.lines[0] || line > own.lines[1]));
  const seen = lines.map((line, at) => (hidden.has(at + 1) ? '' : line));
  return usedWords(file, seen.join('\n')).some((word) => removed.has(word));
}

/** In JavaScript without the words of comments, names of tests and properties: an imported name is none of them. */
function usedWords(file: string, text: string): string[] {
  const tokens = /\.[cm]?[jt]sx?$/.test(file) ? sourceTokens(file, text) : undefined;
  if (tokens === undefined) return text.split(/[^\w$]+/);
  return tokens.flatMap(({ type, text: word }, at) => {
    if (type === 'string') return word.includes('${') ? word.split(/[^\w$]+/) : [];
    const isProperty = isMark(tokens[at - 1], '.') && !isMark(tokens[at - 2], '.');
    return isProperty ? [] : [word];
  });
}

function range([first, last]: readonly [number, number]): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function whyMissing(
  { file, package: home }: TestResult,
  { withBaseTests: { evidence, faults, results }, isOwnCode }: ComparedRuns,
): { loads: boolean; message: string } {
  if (evidence.timed_out) return { loads: true, message: 'the run timed out' };
  const own = faults.find(
    (fault) => (file !== undefined && fault.file === file) || (home !== undefined && fault.package === home),
  );
  const unplaced = faults.find((fault) => fault.file === undefined && fault.package === undefined);
  const nothing = results.length === 0 && evidence.exit !== 0;
  const fault = own ?? unplaced;
  if (fault === undefined && !nothing) return { loads: true, message: 'it did not run' };
  const words = `${fault?.message ?? ''}\n${evidence.output_tail}`;
  const line =
    (fault?.message ?? evidence.output_tail.trimEnd().split('\n').at(-1) ?? '').split('\n')[0] ?? '';
  const needsTests = faults.some((one) => {
    const [, code, place = '', at = ''] = UNRESOLVED.exec(one.message) ?? [];
    return code !== undefined && isOwnCode(place, Number(at));
  });
  return { loads: needsTests || !NOT_LOADED.test(words), message: line };
}
