import { fitsGlob } from '../../domain/protection/fits-glob.ts';
import type { ChangedTest, GateRules } from '../facts.ts';
import { rewrittenBeyond } from './compare-runs.ts';
import { acceptCommands, type Gate, some } from './gate.ts';
import { isAgreed } from './no-test-lost-gate.ts';

const SHOWN = 3;
/** Nothing else shows what happened to these. */
const MOST_UNCLEAR = 30;
const LONGEST_MESSAGE = 160;

/** Altered tests still pass in their base version, or the change of behaviour is declared or accepted. */
export const noTestWeakenedGate: Gate = {
  name: 'no-test-weakened',
  judge({ rules, base, baseTests, candidate }) {
    if (baseTests === undefined)
      return { result: 'absent', required: false, reason: 'the change alters no existing test' };
    if (!baseTests.ran)
      return {
        result: 'absent',
        required: true,
        reason: `the base versions of the tests could not run on the change: ${baseTests.why}`,
      };
    const evidence = [baseTests.run.evidence.id, ...(candidate ? [candidate.evidence.id] : [])];
    const left = baseTests.changed.filter((test) => !isAgreed(test, rules.removesTests));
    const failing = left.filter(({ outcome }) => outcome === 'fails');
    const declared = failing.filter((test) => isDeclared(test, rules));
    const open = failing.filter((test) => !test.accepted && !declared.includes(test));
    const accepted = failing.filter((test) => test.accepted && !declared.includes(test));
    const unclear = left.filter(({ outcome }) => outcome === 'not-comparable');
    const warnings = [
      ...(declared.length > 0 ? [`changed as declared in the task: ${named(declared)}`] : []),
      ...(accepted.length > 0 ? [`changed and accepted by a person: ${named(accepted)}`] : []),
      ...(unclear.length > 0
        ? [
            `cannot run in their base version because code they need was removed or changed: ${named(unclear, MOST_UNCLEAR)}`,
          ]
        : []),
      ...(baseTests.flaky?.length
        ? [`unaltered, failed once and passed when they ran again: ${named(baseTests.flaky)}`]
        : []),
    ];
    if (open.length > 0) return { result: 'fail', required: true, reason: refusal(open), warnings, evidence };
    const rewritten = rewrittenBeyond(baseTests.run, base);
    if (rewritten.length > 0)
      return {
        result: 'fail',
        code: 'tests-rewritten',
        required: true,
        reason: `the run with the base's tests changed them: ${some(rewritten, SHOWN)}`,
        warnings,
        evidence,
      };
    const kept = baseTests.compared - baseTests.changed.length;
    const rest = unclear.length === 0 ? '' : `; ${unclear.length} cannot be compared`;
    const reason = `${kept} of ${baseTests.compared} tests in altered files pass in their base version${rest}`;
    return { result: 'pass', required: true, reason, warnings, evidence };
  },
};

function refusal(open: readonly ChangedTest[]): string {
  const isAltered = ({ file, changedFiles }: ChangedTest) =>
    file === undefined || changedFiles.includes(file);
  const altered = open.filter(isAltered);
  const others = open.filter((test) => !isAltered(test));
  const around = [...new Set(others.flatMap(({ changedFiles }) => changedFiles))];
  const found = [
    ...(altered.length > 0
      ? [
          `${altered.length} altered ${altered.length === 1 ? 'test fails' : 'tests fail'} in the base version: ${shown(altered)}`,
        ]
      : []),
    ...(others.length > 0
      ? [
          `${others.length} unaltered ${others.length === 1 ? 'test fails' : 'tests fail'} without the change of ${some(around, SHOWN)}: ${shown(others)}`,
        ]
      : []),
  ].join('; ');
  const files = [...new Set(open.flatMap(({ changedFiles }) => changedFiles))];
  const commands = acceptCommands(files);
  const accept =
    commands.length === 0
      ? ''
      : `, or have a person accept the new expectations with ${commands.join(' and ')}`;
  return `${found}; keep the old behaviour${commands.length === 0 ? ', or' : ','} list the tests under \`changes_tests:\` in the task on the base${accept}`;
}

function shown(tests: readonly ChangedTest[]): string {
  const texts = tests.map((test) => {
    const [line = ''] = test.message.split('\n', 1);
    return `${place(test)}${line === '' ? '' : ` (${line.slice(0, LONGEST_MESSAGE)})`}`;
  });
  return some(texts, SHOWN);
}

function named(tests: readonly ChangedTest[], shown?: number): string {
  return some(tests.map(place), shown);
}

function place({ file, name }: ChangedTest): string {
  return file === undefined ? name : `${file} > ${name}`;
}

/** Whether the task on the base lists the test, or one of its criteria names it. */
function isDeclared(test: ChangedTest, { changesTests, criteria }: GateRules): boolean {
  if (changesTests === true) return true;
  const { name, file, changedFiles } = test;
  const last = name.slice(name.lastIndexOf(' > ') + 1).replace(/^> /, '');
  const fits = (text: string, glob: string) =>
    text === glob || fitsGlob(plain(text), plain(glob)) || fitsGlob(text, glob);
  // A test of unknown place is declared by all the files that may contain it.
  const isListed =
    changesTests.some((glob) => [name, last, file ?? ''].some((text) => fits(text, glob))) ||
    (file === undefined &&
      changedFiles.length > 0 &&
      changedFiles.every((path) => changesTests.some((glob) => fits(path, glob))));
  return isListed || criteria.some((criterion) => namesTest(criterion, last));
}

/** Slashes are not separators in a test's name. */
function plain(text: string): string {
  return text.replaceAll('/', '\u0001');
}

/** Common words identify no test. */
const MEANINGLESS = new Set(
  'a an and are as at be by can do does for from gives has have if in is it its not of on or should test tests that the then this to when with works'.split(
    ' ',
  ),
);
const FEWEST_WORDS = 3;

/** Whether the criterion contains the whole name, or all its distinctive words and at least three of them. */
function namesTest(criterion: string, name: string): boolean {
  const inCriterion = wordsOf(criterion);
  const inName = wordsOf(name);
  const meaning = inName.filter((word) => !MEANINGLESS.has(word));
  if (meaning.length >= 2 && ` ${inCriterion.join(' ')} `.includes(` ${inName.join(' ')} `)) return true;
  const known = new Set(inCriterion);
  return new Set(meaning).size >= FEWEST_WORDS && meaning.every((word) => known.has(word));
}

function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
