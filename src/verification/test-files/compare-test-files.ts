import { posix } from 'node:path';
import { isTestSide } from '../test-side/find-test-side.ts';
import { OWN } from './assertion-sources.ts';
import { withoutHollowNames } from './hollow-assertions.ts';
import { matchTests, type PlacedTest, type TestFile, type TestMatch } from './match-tests.ts';
import { testsThatMayFail } from './may-fail.ts';
import { readTestCases } from './read-test-cases.ts';
import type { TestCase, TestFileFacts } from './test-case.ts';
import { acceptLoss, loss, type TestLoss } from './test-loss.ts';

export interface CompareTestsOptions {
  /** From a path on the base to its path in the candidate. */
  renames?: ReadonlyMap<string, string>;
  /** A person's permission to remove tests: all of them, or globs of files or test names. */
  removesTests?: true | readonly string[];
  /** Source files whose tests cannot run in their base version, because they cannot be separated from the code. */
  unclear?: readonly string[];
  /** The candidate's files that its tests may use. */
  helpers?: readonly TestFile[];
}

const MAX_NAMES = 5;
const INSEPARABLE =
  'Its tests cannot be separated from its code, so their base version cannot run: put test blocks on lines of their own.';

/** Finds lost tests from the text of all test files of the base and the candidate. */
export function compareTestFiles(
  base: readonly TestFile[],
  changed: readonly TestFile[],
  { renames = new Map(), removesTests = [], unclear = [], helpers = [] }: CompareTestsOptions = {},
): TestLoss[] {
  const candidate = withoutHollowNames(base, changed);
  const before = readAll(base);
  const after = readAll(candidate);
  const matches = matchTests(before, after, renames);
  const judges = new Map<string, (test: TestCase) => boolean>();
  const canFail = ({ file, test }: PlacedTest) => {
    const own = candidate.find(({ path }) => path === file);
    const judge = judges.get(file) ?? (own ? testsThatMayFail(own, helpers) : () => false);
    judges.set(file, judge);
    return judge(test);
  };
  const losses = [
    ...removals(matches, before, after, renames),
    ...matches.flatMap((match) => compareMatch(match, canFail)),
    ...onlyMarks(before, after, renames),
    ...replacedWords(before, after, renames, candidate),
    ...unreadable(before, after, renames),
    ...unclear.map((file) => loss('unreadable', 'fail', file, null, INSEPARABLE)),
  ];
  return losses.map((loss) => acceptLoss(loss, removesTests, matches)).sort(byPlace);
}

function readAll(files: readonly TestFile[]): Map<string, TestFileFacts> {
  return new Map(files.map(({ path, text }) => [path, readTestCases(path, text)]));
}

/** Tests without a counterpart, by file. */
function removals(
  matches: readonly TestMatch[],
  before: ReadonlyMap<string, TestFileFacts>,
  after: ReadonlyMap<string, TestFileFacts>,
  renames: ReadonlyMap<string, string>,
): TestLoss[] {
  const losses: TestLoss[] = [];
  const partners = new Map(matches.map((match) => [match.after?.test, match.before.test]));
  for (const [file, facts] of before) {
    const own = matches.filter((match) => match.before.file === file);
    const gone = own.filter((match) => match.by === 'nothing').map((match) => match.before.test);
    const lost = gone.filter(couldFail);
    const now = renames.get(file) ?? file;
    if (!after.has(now)) {
      if (facts.cases.length === 0) continue;
      if (lost.length > 0)
        losses.push(
          loss(
            'file-deleted',
            'fail',
            file,
            null,
            `The file was deleted with ${countTests(lost)}: ${listNames(lost)}.`,
          ),
        );
      else
        losses.push(
          loss('moved', 'warn', file, null, 'The file was deleted; its tests moved to other files.'),
        );
      continue;
    }
    if (lost.length > 0 && newRows(now, after, partners) >= lost.length) {
      losses.push(
        loss(
          'parameterised',
          'warn',
          file,
          null,
          `${countTests(lost)} became table rows of another test: ${listNames(lost)}.`,
        ),
      );
      continue;
    }
    for (const test of lost)
      losses.push(
        loss(
          'removed',
          'fail',
          file,
          test.name,
          `The test "${test.name}" was removed, with ${assertionsOf(test)}.`,
        ),
      );
    for (const test of gone.filter((one) => !couldFail(one)))
      losses.push(
        loss(
          'removed',
          'warn',
          file,
          test.name,
          `The test "${test.name}" was removed; it could not fail before either.`,
        ),
      );
  }
  return losses;
}

/** How many more rows the tables of a file have than the tests they replace; infinite if unknown. */
function newRows(
  file: string,
  after: ReadonlyMap<string, TestFileFacts>,
  partners: ReadonlyMap<TestCase | undefined, TestCase>,
): number {
  let rows = 0;
  for (const test of after.get(file)?.cases ?? []) {
    if (test.rows === 1 || test.kind !== 'active' || test.assertions === 0) continue;
    const before = partners.get(test);
    const had = before === undefined ? 0 : before.rows;
    if (had !== null) rows += Math.max(0, (test.rows ?? Number.POSITIVE_INFINITY) - had);
  }
  return rows;
}

function couldFail(test: TestCase): boolean {
  return test.kind === 'active';
}

function compareMatch({ before, after, by }: TestMatch, canFail: (test: PlacedTest) => boolean): TestLoss[] {
  if (after === undefined) return [];
  const losses = compareKinds(before, after, canFail);
  if (by === 'place' && before.file === after.file) return losses;
  const { name } = before.test;
  const now = { file: after.file, name: after.test.name };
  if (before.file !== after.file && (by === 'name' || by === 'place'))
    losses.push({
      ...loss('moved', 'warn', before.file, name, `The test "${name}" moved to ${after.file}.`),
      now,
    });
  else {
    const where = before.file === after.file ? '' : ` in ${after.file}`;
    const how = by === 'likeness' ? ', and changed' : '';
    const words = `The test "${name}" is now called "${after.test.name}"${where}${how}.`;
    losses.push({ ...loss('renamed', 'warn', before.file, name, words), now });
  }
  return losses;
}

function compareKinds(
  { file, test: old }: PlacedTest,
  after: PlacedTest,
  canFail: (test: PlacedTest) => boolean,
): TestLoss[] {
  const now = after.test;
  if (old.kind === 'skipped' || old.kind === 'todo') return [];
  const found = (type: TestLoss['type'], severity: TestLoss['severity'], words: string) => [
    loss(type, severity, file, now.name, `The test "${now.name}" ${words}`),
  ];
  if (now.kind === 'skipped' || now.kind === 'todo')
    return found('skipped', old.kind === 'empty' ? 'warn' : 'fail', `no longer runs: ${now.why}.`);
  if (old.kind === 'empty') return [];
  if (now.kind === 'empty') return found('emptied', 'fail', `can no longer fail: ${now.why}.`);
  if (old.assertions > 0 && now.assertions === 0 && !canFail(after))
    return found(
      'emptied',
      'fail',
      `can no longer fail: it had ${assertionsOf(old)}, and none that can fail is left.`,
    );
  if (now.expectsFailure && !old.expectsFailure)
    return found('emptied', 'fail', 'is now expected to fail: with wrong code it passes too.');
  if (now.conditional && !old.conditional)
    return found('conditional', 'warn', 'now runs only under a condition.');
  // A test in a separate file is instead run in its base version.
  const weaker = now.assertions * (now.rows ?? 1) < old.assertions * (old.rows ?? 1);
  if (weaker && !isTestSide(file))
    return found('weakened', 'warn', `had ${assertionsOf(old)} and now has ${now.assertions}.`);
  return [];
}

function onlyMarks(
  before: ReadonlyMap<string, TestFileFacts>,
  after: ReadonlyMap<string, TestFileFacts>,
  renames: ReadonlyMap<string, string>,
): TestLoss[] {
  const origin = new Map([...renames].map(([from, to]) => [to, from]));
  return [...after].flatMap(([file, { only }]) => {
    const had = before.get(origin.get(file) ?? file)?.only ?? 0;
    return only > 0 && had === 0
      ? [loss('only', 'fail', file, null, 'A test or suite is marked only, which stops others from running.')]
      : [];
  });
}

function unreadable(
  before: ReadonlyMap<string, TestFileFacts>,
  after: ReadonlyMap<string, TestFileFacts>,
  renames: ReadonlyMap<string, string>,
): TestLoss[] {
  return [...before].flatMap(([file, facts]) => {
    const now = renames.get(file) ?? file;
    const changed = after.get(now)?.uncertain === true && !facts.uncertain && facts.cases.length > 0;
    return changed
      ? [
          loss(
            'unreadable',
            'warn',
            now,
            null,
            'The file can no longer be parsed to its end, so tests may be missing from this comparison.',
          ),
        ]
      : [];
  });
}

/** The test functions now come from the change itself, which may have disarmed them. */
function replacedWords(
  before: ReadonlyMap<string, TestFileFacts>,
  after: ReadonlyMap<string, TestFileFacts>,
  renames: ReadonlyMap<string, string>,
  candidate: readonly TestFile[],
): TestLoss[] {
  const losses: TestLoss[] = [];
  const texts = new Map(candidate.map(({ path, text }) => [path, text]));
  for (const [file, facts] of before) {
    const now = renames.get(file) ?? file;
    if (!facts.cases.some(couldFail)) continue;
    for (const [word, source] of after.get(now)?.sources ?? []) {
      const had = facts.sources?.get(word);
      if (had === source || (source !== OWN && !source.startsWith('.'))) continue;
      const path = posix.normalize(posix.join(posix.dirname(now), source));
      const text = [path, `${path}.ts`, `${path}.js`, path.replace(/js$/, 'ts')]
        .map((one) => texts.get(one))
        .find((one) => one !== undefined);
      const isTrusted = text === undefined ? /^(?:test|it|describe)$/.test(word) : text.includes('.extend(');
      const severity = source !== OWN && isTrusted ? 'warn' : 'fail';
      const from = source === OWN ? 'is now defined in the file itself' : `now comes from ${source}`;
      losses.push(
        loss(
          'replaced',
          severity,
          now,
          null,
          `"${word}" ${from}${had === undefined ? '' : ` (before: ${had})`}, so tests may no longer assert anything.`,
        ),
      );
    }
  }
  return losses;
}

function countTests(tests: readonly TestCase[]): string {
  return tests.length === 1 ? '1 test' : `${tests.length} tests`;
}

function assertionsOf({ assertions }: TestCase): string {
  return assertions === 1 ? '1 assertion' : `${assertions} assertions`;
}

function listNames(tests: readonly TestCase[]): string {
  const shown = tests.slice(0, MAX_NAMES).map((test) => `"${test.name.slice(0, 120)}"`);
  const more = tests.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function byPlace(a: TestLoss, b: TestLoss): number {
  const order = { fail: 0, accepted: 1, warn: 2 };
  if (a.severity !== b.severity) return order[a.severity] - order[b.severity];
  return a.file < b.file ? -1 : a.file > b.file ? 1 : 0;
}
