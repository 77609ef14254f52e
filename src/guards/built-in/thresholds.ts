import { isTestFile } from '../../domain/is-test-file.ts';
import type { CommandAction, FileEffect, PathReach } from '../action.ts';
import type { Guard, Objection } from '../guard.ts';
import { changedScripts } from './changed-scripts.ts';
import { loweredThreshold } from './lowered-threshold.ts';

export const thresholds: Guard = {
  id: 'thresholds',
  summary: 'Tests are not made to pass by running fewer of them, or by asking less of them.',
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

/** Files in which test runners are told what to ask for. */
const RUNNER_CONFIG =
  /(?:^|\/)(?:(?:vitest|vite|jest|karma|playwright|cypress|nyc|c8)\.config\.[cm]?[jt]s|jest\.config\.json|\.(?:nyc|c8)rc(?:\.\w+)?|\.mocharc(?:\.\w+)?|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|\.coveragerc|\.?codecov\.ya?ml|\.simplecov|phpunit\.xml(?:\.dist)?|package\.json|pom\.xml|build\.gradle(?:\.kts)?|Cargo\.toml|Makefile)$/;

function judgeFile({ file: { inProject: path, exists }, effect, before, after }: FileEffect): Objection[] {
  if (path !== undefined && isTestFile(path)) {
    const emptied = after?.trim() === '' && before !== undefined && before.trim() !== '';
    if (emptied || (effect === 'delete' && exists !== false)) return [removed(path)];
  }
  if (path === undefined || after === undefined || before === after) return [];
  const found: (Objection | undefined)[] = [];
  // A new one can say as much as a changed one.
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

/** It is moved to where it is a test too. A target that does not exist is a file, and nothing lands below it. */
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
        'Leave the script, and fix what makes it fail. If the script is wrong, say so in your answer.',
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
      'Write the missing tests. GuardKit uses its own thresholds, and a person accepts changes to this file.',
    );
  if (count(after, NO_TESTS) > count(before, NO_TESTS))
    return warn(
      `With this change to ${path}, a run without any tests passes.`,
      'Leave it out, unless there are no tests by design.',
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
