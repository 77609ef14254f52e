import type { NativeComparison } from '../../../verification/trial/compare-with-native.ts';
import { linesToAdd } from '../../../verification/trial/find-missing.ts';
import type {
  Trial,
  TriedCoverage,
  TriedStep,
  TriedTests,
} from '../../../verification/trial/try-commands.ts';
import { oneLine } from '../output/printable.ts';

const SHOWN_LINES = 12;
const SHOWN_NAMES = 5;

/** The result of a trial, for people and for programs. */
export function describeTrial(
  trial: Trial,
  compared: NativeComparison | undefined,
): { lines: string[]; json: object } {
  const { setup, tests, coverage } = trial;
  const missing = compared?.missing ?? [];
  return {
    lines: [
      'Tried in a fresh checkout:',
      ...(setup ? describeStep('set-up', setup) : []),
      ...(tests ? describeTests(tests) : []),
      ...(coverage ? describeCoverage(coverage) : []),
      ...(tests && !coverage && trial.verify.coverage ? ['  coverage: not tried, the time was up'] : []),
      ...(compared ? describeNative(compared) : []),
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
      missing: missing.map(({ kind, name, lines }) => ({ kind, name, lines })),
    },
  };
}

function describeStep(name: string, step: TriedStep): string[] {
  const line = `  ${name}: ${step.command}: ${ended(step)}, ${seconds(step.durationMs)}`;
  return step.exit === 0 ? [line] : [line, ...lastLines(step.tail)];
}

function describeTests(tests: TriedTests): string[] {
  const counts = [
    `${tests.passed} passed`,
    ...(tests.failed > 0 ? [`${tests.failed} failed`] : []),
    ...(tests.skipped > 0 ? [`${tests.skipped} skipped`] : []),
  ].join(', ');
  const none = tests.passed + tests.failed + tests.skipped === 0;
  const found = none ? (tests.exit === 0 ? 'ended well, but named no test' : ended(tests)) : counts;
  const line = `  tests: ${tests.command}: ${found}, ${seconds(tests.durationMs)}`;
  const names = tests.failedNames.slice(0, SHOWN_NAMES).map((name) => `    ✗ ${oneLine(name, 110)}`);
  const more = tests.failed > SHOWN_NAMES ? [`    and ${tests.failed - SHOWN_NAMES} more`] : [];
  const output = tests.exit !== 0 && tests.failed === 0 ? lastLines(tests.tail) : [];
  return [line, ...names, ...more, ...output];
}

function describeCoverage(coverage: TriedCoverage): string[] {
  if (coverage.found)
    return [
      `  coverage: ${coverage.report} (${coverage.format}, ${coverage.files} files), ${seconds(coverage.durationMs)}`,
    ];
  const { step } = coverage;
  return [`  coverage: ${step.command}: ${coverage.why}`, ...(step.exit === 0 ? [] : lastLines(step.tail))];
}

function describeNative({ native, missing }: NativeComparison): string[] {
  if (native.exit !== 0)
    return [
      `In your own checkout the command fails as well (${ended(native)}). Fix the tests first, then run \`guardkit init\` again.`,
    ];
  const lines = linesToAdd(missing);
  return [
    'In your own checkout the same command passes.',
    ...(missing.length === 0
      ? ['Nothing that explains the difference was found.']
      : missing.map(({ text }) => `  ${text}`)),
    ...(lines.length === 0 ? [] : ['Add to .guardkit/config.yaml:', ...lines.map((line) => `  ${line}`)]),
  ];
}

export function ended({ exit, timedOut }: Pick<TriedStep, 'exit' | 'timedOut'>): string {
  if (timedOut) return 'did not end in time';
  if (exit === null) return 'was ended by a signal';
  return exit === 0 ? 'done' : `failed (exit ${exit})`;
}

export function seconds(ms: number): string {
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** The last lines of an output that contain something. */
function lastLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const filled = lines.filter(
    (line) => line !== '' && !/^npm (?:error|ERR!) (?:A complete log|Lifecycle|code ELIFECYCLE)/.test(line),
  );
  return filled.slice(-SHOWN_LINES).map((line) => `    | ${oneLine(line, 150)}`);
}
