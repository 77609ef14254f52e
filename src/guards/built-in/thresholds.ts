import { isTestFile } from '../../domain/is-test-file.ts';
import { isObject, own } from '../../domain/json/plain-shape.ts';
import type { CommandAction, FileEffect, PathReach } from '../action.ts';
import type { Guard, Objection } from '../guard.ts';

export const thresholds: Guard = {
  id: 'thresholds',
  summary: 'Agents do not make tests pass by running fewer tests or lowering thresholds.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['edit', 'command'],
  expires: undefined,
  judge(action) {
    if (action.kind === 'command') return judgeRemovedTests(action);
    if (action.kind !== 'edit') return undefined;
    const found = action.files.flatMap((effect) => judgeFile(effect));
    return found.find(({ decision }) => decision === 'deny') ?? found[0];
  },
};

/** Configuration files of test runners. */
const RUNNER_CONFIG =
  /(?:^|\/)(?:(?:vitest|vite|jest|karma|playwright|cypress|nyc|c8)\.config\.[cm]?[jt]s|jest\.config\.json|\.(?:nyc|c8)rc(?:\.\w+)?|\.mocharc(?:\.\w+)?|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|\.coveragerc|\.?codecov\.ya?ml|\.simplecov|phpunit\.xml(?:\.dist)?|package\.json|pom\.xml|build\.gradle(?:\.kts)?|Cargo\.toml|Makefile)$/;

function judgeFile({ file: { inProject: path, exists }, effect, before, after }: FileEffect): Objection[] {
  if (path !== undefined && isTestFile(path)) {
    const emptied = after?.trim() === '' && before !== undefined && before.trim() !== '';
    if (emptied || (effect === 'delete' && exists !== false)) return [removed(path)];
  }
  if (path === undefined || after === undefined || before === after) return [];
  const found: (Objection | undefined)[] = [];
  // A new file can have the same effect as a changed one.
  if (RUNNER_CONFIG.test(path)) found.push(judgeConfig(path, before ?? '', after));
  if (before === undefined) return found.filter((one) => one !== undefined);
  if (/(?:^|\/)package\.json$/.test(path)) found.unshift(judgeScripts(path, before, after));
  if (isTestFile(path)) found.push(judgeSkips(path, before, after));
  return found.filter((one) => one !== undefined);
}

/** Tests that a command removes, moves away or empties. */
function judgeRemovedTests({ reaches }: CommandAction): Objection | undefined {
  const lost = reaches.find(
    ({ file, mode, by, glob, empties, guess }) =>
      guess === undefined &&
      (mode === 'delete' || empties === true) &&
      file.inProject !== undefined &&
      (glob || file.exists === true) &&
      holdsTests(file.inProject) &&
      !(by === 'mv' && staysTest(reaches)),
  );
  return lost?.file.inProject === undefined ? undefined : removed(lost.file.inProject);
}

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\/?$/;

function holdsTests(path: string): boolean {
  return isTestFile(path) || TEST_FOLDER.test(path);
}

/** Whether a test is moved to a place where it is still a test. A target that does not exist becomes a file. */
function staysTest(reaches: readonly PathReach[]): boolean {
  const targets = reaches.filter(({ mode, by }) => mode === 'write' && by === 'mv').map(({ file }) => file);
  return targets.some(
    ({ inProject, real }) =>
      inProject !== undefined &&
      holdsTests(inProject) &&
      !targets.some((other) => real.startsWith(`${other.real}/`) && other.exists === false),
  );
}

function removed(path: string): Objection {
  return warn(
    `This removes or empties ${path}, which holds tests.`,
    'Fix the test or the code it tests. GuardKit counts the tests that ran and notices missing ones.',
  );
}

function judgeScripts(path: string, before: string, after: string): Objection | undefined {
  const changed = changedScripts(before, after);
  const [emptied] = changed.emptied;
  if (emptied !== undefined)
    return {
      decision: 'deny',
      reason: `The script "${emptied}" in ${path} would no longer run anything that can fail.`,
      guidance:
        'Leave the script unchanged and fix the failure. If the script is wrong, say so in your answer.',
    };
  const [narrowed] = changed.narrowed;
  if (narrowed === undefined) return undefined;
  return warn(
    `The script "${narrowed}" in ${path} would run fewer tests than before.`,
    'Keep it running all tests; use a separate command to run some of them.',
  );
}

function judgeConfig(path: string, before: string, after: string): Objection | undefined {
  const lowered = loweredThreshold(before, after);
  if (lowered !== undefined)
    return warn(
      `This lowers a threshold in ${path}: ${lowered}.`,
      'Write the missing tests. GuardKit uses its own thresholds, and a person must accept changes to this file.',
    );
  if (count(after, NO_TESTS) > count(before, NO_TESTS))
    return warn(
      `With this change to ${path}, a run without any tests passes.`,
      'Remove it, unless the project has no tests by design.',
    );
  return undefined;
}

const NO_TESTS = /pass-?with-?no-?tests|allow-?no-?tests|--suppress-no-test-exit-code/gi;

const SKIPS =
  /\b(?:it|test|describe|suite|context|specify|bench)(?:\.(?:concurrent|sequential|each|for))?\.(?:skip|only|skipIf)\b|\b(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe)\s?\(|@(?:Ignore|Disabled)\b|@?pytest\.(?:mark\.)?(?:skip|skipif|xfail)\b|@?unittest\.(?:skip|skipIf|skipUnless|expectedFailure)\b|\bself\.skipTest\(|\b[tb]\.Skip(?:f|Now)?\(|#\[ignore\b|\bt\.(?:skip|todo)\(|\bmarkTestSkipped\(/g;

function judgeSkips(path: string, before: string, after: string): Objection | undefined {
  if (count(after, SKIPS) <= count(before, SKIPS)) return undefined;
  return warn(
    `This skips tests in ${path} that ran before, or keeps the others from running.`,
    'Fix the test or the code it tests. GuardKit counts the tests that ran and notices missing ones.',
  );
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function warn(reason: string, guidance: string): Objection {
  return { decision: 'warn', reason, guidance };
}

const NAMES =
  'lines|branches|functions|statements|fail[-_]under|line-rate|minimum[-_]coverage|target|minimum';

/** `lines: 80`, `"branches": 75.5`, `fail_under = 80`, `--cov-fail-under=80`. */
const VALUE = new RegExp(`["']?\\b(${NAMES})["']?\\s{0,5}[:=]\\s{0,5}["']?(\\d{1,3}(?:\\.\\d{1,4})?)`, 'gi');
const ABOUT = /threshold|fail[-_]under|coverage|minimum/i;

const MAX_TEXT = 200_000;

/** Describes a lowered or removed coverage threshold; undefined if there is none. */
function loweredThreshold(before: string, after: string): string | undefined {
  if (!ABOUT.test(before)) return undefined;
  const [old, next] = [demands(before), demands(after)];
  for (const [name, values] of old) {
    const now = next.get(name) ?? [];
    const [was, is] = [sum(values), sum(now)];
    if (now.length < values.length) return `${name} ${values.join(', ')} was removed`;
    if (now.length === values.length && is < was)
      return `${name} from ${values.join(', ')} to ${now.join(', ')}`;
  }
  return undefined;
}

function demands(text: string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [, name = '', value = ''] of text.slice(0, MAX_TEXT).matchAll(VALUE)) {
    const key = name.toLowerCase();
    found.set(key, [...(found.get(key) ?? []), Number(value)]);
  }
  return found;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface ChangedScripts {
  /** Scripts that could fail before and no longer can. */
  emptied: string[];
  /** Scripts that would run fewer tests. */
  narrowed: string[];
}

/** Compares the test scripts before and after an edit of package.json. */
function changedScripts(before: string, after: string): ChangedScripts {
  const [old, next] = [scriptsOf(before), scriptsOf(after)];
  const changed: ChangedScripts = { emptied: [], narrowed: [] };
  if (!old || !next) return changed;
  for (const [name, command] of Object.entries(old)) {
    if (
      !/^(?:pre|post)?(?:test|coverage|check|verify|ci)(?:$|[:_-])/.test(name) ||
      typeof command !== 'string'
    )
      continue;
    const now = own(next, name);
    if (typeof now !== 'string' || now === command) continue;
    if (cannotFail(now) && !cannotFail(command) && !isPlaceholder(command)) changed.emptied.push(name);
    else if (narrowings(now) > narrowings(command) || (ranAll(command) && namesFiles(now)))
      changed.narrowed.push(name);
  }
  return changed;
}

function scriptsOf(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const scripts = isObject(parsed) ? own(parsed, 'scripts') : undefined;
    return isObject(scripts) ? scripts : undefined;
  } catch {
    // Safe: an invalid package.json runs no scripts.
    return undefined;
  }
}

/** The placeholder that npm writes for projects without tests. */
function isPlaceholder(command: string): boolean {
  return /no test specified/.test(command);
}

/** Whether a command always succeeds: it only prints, does nothing, or ignores failures. */
function cannotFail(command: string): boolean {
  const text = command.trim();
  if (/(?:\|\||;)\s{0,5}(?:true|:|exit 0|echo\b[^&|;]{0,200})$/.test(text)) return true;
  return text.split(/&&|;/).every((part) => /^(?:true|:|exit 0|echo\b.*|printf\b.*|)$/s.test(part.trim()));
}

const NARROWING =
  /(?:^|\s)(?:-t|-k|-g|--grep|--fgrep|--testNamePattern|--test-name-pattern|--testPathIgnorePatterns|--testPathPattern|--exclude|--ignore|--deselect|--changed|--onlyChanged|--related|--shard|-run|--skip|--passWithNoTests|--pass-with-no-tests)(?=$|[\s=])/g;

function narrowings(command: string): number {
  return command.match(NARROWING)?.length ?? 0;
}

const RUNNER = /^(?:\S*\/)?(?:vitest|jest|mocha|ava|tap|jasmine|pytest|--test)$/;
const MAX_WORDS = 200;

/** Whether a command runs all tests. */
function ranAll(command: string): boolean {
  const words = runnerWords(command);
  return words !== undefined && !words.some(isFile);
}

function namesFiles(command: string): boolean {
  return runnerWords(command)?.some(isFile) ?? false;
}

/** The operands of a test runner, without options and their values. */
function runnerWords(command: string): string[] | undefined {
  const words = command.trim().split(/\s+/).slice(0, MAX_WORDS);
  const at = words.findIndex((word) => RUNNER.test(word));
  if (at < 0) return undefined;
  const own = words.slice(at + 1);
  const end = own.findIndex((word) => /[;&|]/.test(word));
  return own
    .slice(0, end < 0 ? own.length : end)
    .filter((word, index, all) => !word.startsWith('-') && !/^--?[^=]+$/.test(all[index - 1] ?? ''));
}

function isFile(word: string): boolean {
  return /[/.]/.test(word) && word !== './...' && word !== '.' && word !== './';
}
