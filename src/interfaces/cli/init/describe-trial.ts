import { lastLines, relevantLines } from '../../../verification/output/relevant-lines.ts';
import type { NativeComparison } from '../../../verification/trial/compare-with-native.ts';
import { linesToAdd } from '../../../verification/trial/find-missing.ts';
import type {
  Trial,
  TriedCoverage,
  TriedStep,
  TriedTests,
} from '../../../verification/trial/try-commands.ts';
import { oneLine, plural } from '../output/printable.ts';

/** The step that ended a trial. */
export function lastStep({ setup, tests }: Trial): TriedStep | undefined {
  return setup && setup.exit !== 0 ? setup : tests;
}

export function troubleOf({ setup, tests }: Trial): string {
  if (setup && setup.exit !== 0) return `the set-up ${ended(setup)}`;
  if (!tests) return 'the time limit was reached before the tests started';
  if (tests.timedOut) return `the tests did not finish within the remaining ${seconds(tests.durationMs)}`;
  if (tests.failed > 0) return `${tests.failed} of ${tests.passed + tests.failed} tests failed`;
  if (tests.exit !== 0) return `the test command ${ended(tests)}`;
  return 'the test command reported no test names; set tests.report to a report file';
}

const SHOWN_LINES = 12;
const SHOWN_NAMES = 5;

/** The result of a trial, for people and for programs. */
export function describeTrial(
  trial: Trial,
  compared: NativeComparison | undefined,
  unused: readonly Trial[],
): { lines: string[]; json: object } {
  const { setup, tests, coverage } = trial;
  const endings = unused.flatMap((one) => {
    const step = lastStep(one);
    const output = step === undefined ? [] : step === one.setup ? shown(step.tail) : cause(step.tail);
    return step ? [{ step, trouble: troubleOf(one), output }] : [];
  });
  const missing = compared?.missing ?? [];
  return {
    lines: [
      'Tried in a fresh checkout:',
      ...(setup ? describeStep('set-up', setup) : []),
      ...(tests ? describeTests(tests) : []),
      ...(coverage ? describeCoverage(coverage) : []),
      ...(tests && !coverage && trial.verify.coverage ? ['  coverage: not tried, time limit reached'] : []),
      ...(compared ? describeNative(compared) : []),
      ...endings.flatMap(({ step, trouble, output }) => [
        `Not used: ${oneLine(step.command, 300)}, because ${trouble}:`,
        ...output,
      ]),
    ],
    json: {
      setup: setup ? { exit: setup.exit, duration_ms: Math.round(setup.durationMs) } : null,
      tests: tests
        ? {
            exit: tests.exit,
            passed: tests.passed,
            failed: tests.failed,
            skipped: tests.skipped,
            runners: tests.runners,
            duration_ms: Math.round(tests.durationMs),
          }
        : null,
      coverage: coverage
        ? coverage.found
          ? { found: true, report: coverage.report, format: coverage.format, files: coverage.files }
          : { found: false, why: coverage.why }
        : null,
      native: compared ? { exit: compared.native.exit } : null,
      unused: endings.map(({ step: { command, exit } }) => ({ command, exit })),
      missing: missing.map(({ kind, name, lines }) => ({ kind, name, lines })),
    },
  };
}

function describeStep(name: string, step: TriedStep): string[] {
  const line = `  ${name}: ${step.command}: ${ended(step)}, ${seconds(step.durationMs)}`;
  return step.exit === 0 ? [line] : [line, ...shown(step.tail)];
}

function describeTests(tests: TriedTests): string[] {
  const counts = [
    `${tests.passed} passed`,
    ...(tests.failed > 0 ? [`${tests.failed} failed`] : []),
    ...(tests.skipped > 0 ? [`${tests.skipped} skipped`] : []),
  ].join(', ');
  const none = tests.passed + tests.failed + tests.skipped === 0;
  const failed = tests.exit !== 0 && tests.failed === 0;
  const found = none
    ? tests.exit === 0
      ? 'passed, without test names'
      : ended(tests)
    : `${counts}${failed ? `, but the command ${ended(tests)}` : ''}`;
  const line = `  tests: ${tests.command}: ${found}, ${seconds(tests.durationMs)}`;
  const names = tests.failedNames.slice(0, SHOWN_NAMES).map((name) => `    ✗ ${oneLine(name, 110)}`);
  const more = tests.failed > SHOWN_NAMES ? [`    and ${tests.failed - SHOWN_NAMES} more`] : [];
  const output = failed ? cause(tests.tail) : [];
  return [line, ...names, ...more, ...output];
}

function describeCoverage(coverage: TriedCoverage): string[] {
  if (coverage.found)
    return [
      `  coverage: ${coverage.report} (${coverage.format}, ${plural(coverage.files, 'file')}), ${seconds(coverage.durationMs)}`,
    ];
  const { step } = coverage;
  const more = step.timedOut ? ' (allow more time with --try-timeout)' : '';
  return [
    `  coverage: ${step.command}: ${coverage.why}${more}`,
    ...(step.exit === 0 ? [] : cause(step.tail)),
  ];
}

/** The exit code of a shell that does not find the program. */
const COMMAND_NOT_FOUND = 127;

function describeNative({ native, missing }: NativeComparison): string[] {
  if (native.exit === COMMAND_NOT_FOUND)
    return [
      'Your own checkout cannot run the command, since a program is not found (exit 127). Install the dependencies there, then run `guardkit init` again to compare.',
    ];
  if (native.exit !== 0)
    return [
      `The command also fails in your own checkout (${ended(native)}). Fix the tests first, then run \`guardkit init\` again.`,
    ];
  const lines = linesToAdd(missing);
  return [
    'In your own checkout the same command passes.',
    ...(missing.length === 0
      ? ['No cause of the difference was found.']
      : missing.map(({ text }) => `  ${text}`)),
    ...(lines.length === 0 ? [] : ['Add to .guardkit/config.yaml:', ...lines.map((line) => `  ${line}`)]),
  ];
}

function ended({ exit, timedOut }: Pick<TriedStep, 'exit' | 'timedOut'>): string {
  if (timedOut) return 'timed out (allow more time with --try-timeout)';
  if (exit === null) return 'was ended by a signal';
  if (exit === COMMAND_NOT_FOUND) return `failed (exit ${exit}: a program was not found)`;
  return exit === 0 ? 'done' : `failed (exit ${exit})`;
}

export function seconds(ms: number): string {
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

function shown(output: string): string[] {
  return quoted(lastLines(output, SHOWN_LINES));
}

/** Why a test runner failed. */
function cause(output: string): string[] {
  return quoted(relevantLines(output, SHOWN_LINES));
}

function quoted(lines: readonly string[]): string[] {
  return lines.map((line) => `    | ${oneLine(line, 150)}`);
}
