import type { VerifySection } from '../../../config/project/config-templates.ts';
import type { DetectedVerify } from '../../../config/project/detect-verify.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { lastLines } from '../../../verification/output/relevant-lines.ts';
import { compareWithNative, type NativeComparison } from '../../../verification/trial/compare-with-native.ts';
import { linesToAdd } from '../../../verification/trial/find-missing.ts';
import { bestTrial, runTrials } from '../../../verification/trial/open-trial.ts';
import {
  type Trial,
  type TriedCoverage,
  type TriedStep,
  type TriedTests,
  trialRank,
} from '../../../verification/trial/try-commands.ts';
import { oneLine } from '../output/printable.ts';
import type { CliContext } from '../program/cli-command.ts';
import { describeEvent } from '../verification/describe-verification.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';

export interface InitTrial {
  section: VerifySection;
  lines: string[];
  json: unknown;
}

export interface InitTrialRequest {
  root: string;
  project: string;
  tryTimeoutMs: number;
}

/** Runs the proposed commands, tries alternatives if they fail, and decides what is written. */
export async function tryProposal(
  context: CliContext,
  detected: DetectedVerify,
  request: InitTrialRequest,
): Promise<InitTrial | undefined> {
  const { home } = await context.workspace();
  const ending = endOnSignal();
  const startedAt = performance.now();
  try {
    const trials = await runTrials({
      home,
      env: context.env,
      project: request.project,
      root: request.root,
      candidates: [detected.verify, ...detected.alternatives],
      sandbox: await context.findSandbox(),
      timeoutMs: request.tryTimeoutMs,
      byPerson: (await context.findAgent()) === undefined,
      signal: ending.signal,
      emit: (event) => context.progress(describeEvent(event).replace(' on the base', '')),
    });
    const trial = bestTrial(trials ?? []);
    if (!trial) return undefined;
    if (ending.signal.aborted) throw cancelled();
    const left = request.tryTimeoutMs - (performance.now() - startedAt);
    const compared = await compare(context, trial, request, left, ending.signal);
    const unused = unusedTrials(trials ?? [], trial);
    const section = sectionOf(trial, compared, unused);
    const { lines, json } = describeTrial(trial, compared, unused);
    const rules = section.verify === undefined ? [NO_COMMAND] : describeCoverageRule(section);
    return { section, lines: [...lines, ...rules], json };
  } finally {
    ending.forget();
  }
}

/**
 * The trials that failed and are not used: the first, or all if none worked. One with passing tests lacked only coverage,
 * which the better one measures.
 */
function unusedTrials(trials: readonly Trial[], used: Trial): Trial[] {
  const failed = trials.filter((one) => one !== used && trialRank(one) < 2);
  return trialRank(used) < 2 ? failed : failed.filter((one) => one === trials[0]);
}

/** Runs in the person's own checkout only if the isolated run failed, and only for a person. */
async function compare(
  context: CliContext,
  trial: Trial,
  request: InitTrialRequest,
  left: number,
  signal: AbortSignal,
): Promise<NativeComparison | undefined> {
  const { tests } = trial;
  if (!tests || tests.exit === 0 || tests.timedOut || left < 1000) return undefined;
  if ((await context.findAgent()) !== undefined) return undefined;
  const { home } = await context.workspace();
  context.progress(`… tests in your own checkout: ${tests.command}`);
  return compareWithNative({
    repository: await Repository.open(request.root),
    home,
    env: context.env,
    project: request.project,
    command: tests.command,
    sealed: tests,
    sealedHome: trial.home,
    timeoutMs: left,
    signal,
  });
}

/** Commands that worked are written as they are, others as comments with the reason. */
function sectionOf(
  trial: Trial,
  compared: NativeComparison | undefined,
  unused: readonly Trial[],
): VerifySection {
  const { verify, setup, tests, coverage } = trial;
  const remarks = [
    ...unused.map(
      (one) => `Not used: ${oneLine(lastStep(one)?.command ?? '', 300)}, because ${troubleOf(one)}.`,
    ),
    ...(compared?.missing ?? []).map(({ text }) => text),
  ];
  const isRight =
    trialRank(trial) > 0 ||
    tests?.exit === 0 ||
    tests?.timedOut ||
    setup?.timedOut ||
    compared?.native.exit === 0;
  if (!isRight)
    return {
      inactive: verify,
      remarks: [`Did not work when \`guardkit init\` tried it: ${troubleOf(trial)}.`],
    };
  const { coverage: measured, ...others } = verify;
  const failsAlone = measured && coverage?.found === false && tests?.exit === 0;
  if (failsAlone)
    return {
      verify: others,
      inactive: { coverage: measured },
      remarks: [...remarks, uselessCoverage(coverage)],
    };
  const trouble = trialRank(trial) > 1 ? [] : [`When \`guardkit init\` tried it: ${troubleOf(trial)}.`];
  return { verify, remarks: [...trouble, ...remarks] };
}

function uselessCoverage({ why, step }: Extract<TriedCoverage, { found: false }>): string {
  return step.timedOut
    ? `Coverage was not finished after ${seconds(step.durationMs)}, when \`guardkit init\` reached its time limit.`
    : `Coverage did not work when \`guardkit init\` tried it: ${why}.`;
}

const NO_COMMAND =
  'No test command is set, since none worked. Fill in verify: in .guardkit/config.yaml, where the command is in a comment.';

/** A required gate that cannot work would block everything. */
function describeCoverageRule({ verify, inactive }: VerifySection): string[] {
  return verify !== undefined && inactive?.coverage !== undefined
    ? [
        'Coverage is not required for now. To require it, correct the commented lines under verify: in .guardkit/config.yaml, and delete the lines about coverage in .guardkit/config/quality-gates.yaml.',
      ]
    : [];
}

/** The step that ended a trial. */
function lastStep({ setup, tests }: Trial): TriedStep | undefined {
  return setup && setup.exit !== 0 ? setup : tests;
}

function troubleOf({ setup, tests }: Trial): string {
  if (setup && setup.exit !== 0) return `the set-up ${ended(setup)}`;
  if (!tests) return 'the time limit was reached before the tests started';
  if (tests.timedOut) return `the tests did not finish within the remaining ${seconds(tests.durationMs)}`;
  if (tests.failed > 0) return `${tests.failed} of ${tests.passed + tests.failed} tests failed`;
  if (tests.exit !== 0) return `the test command ${ended(tests)}`;
  return 'the test command reported no test names; set tests.report to a report file';
}

function cancelled(): GuardKitError {
  return new GuardKitError({
    code: 'init.cancelled',
    kind: 'refused',
    message: 'Cancelled; nothing written.',
    hint: '`guardkit init --no-try` writes the commands without running them.',
  });
}

const SHOWN_LINES = 12;
const SHOWN_NAMES = 5;

/** The result of a trial, for people and for programs. */
function describeTrial(
  trial: Trial,
  compared: NativeComparison | undefined,
  unused: readonly Trial[],
): { lines: string[]; json: object } {
  const { setup, tests, coverage } = trial;
  const endings = unused.flatMap((one) => {
    const step = lastStep(one);
    return step ? [{ step, trouble: troubleOf(one) }] : [];
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
      ...endings.flatMap(({ step, trouble }) => [
        `Not used: ${oneLine(step.command, 300)}, because ${trouble}:`,
        ...shown(step.tail),
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
  const found = none ? (tests.exit === 0 ? 'passed, without test names' : ended(tests)) : counts;
  const line = `  tests: ${tests.command}: ${found}, ${seconds(tests.durationMs)}`;
  const names = tests.failedNames.slice(0, SHOWN_NAMES).map((name) => `    ✗ ${oneLine(name, 110)}`);
  const more = tests.failed > SHOWN_NAMES ? [`    and ${tests.failed - SHOWN_NAMES} more`] : [];
  const output = tests.exit !== 0 && tests.failed === 0 ? shown(tests.tail) : [];
  return [line, ...names, ...more, ...output];
}

function describeCoverage(coverage: TriedCoverage): string[] {
  if (coverage.found)
    return [
      `  coverage: ${coverage.report} (${coverage.format}, ${coverage.files} files), ${seconds(coverage.durationMs)}`,
    ];
  const { step } = coverage;
  const more = step.timedOut ? ' (allow more time with --try-timeout)' : '';
  return [
    `  coverage: ${step.command}: ${coverage.why}${more}`,
    ...(step.exit === 0 ? [] : shown(step.tail)),
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

function seconds(ms: number): string {
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

function shown(output: string): string[] {
  return lastLines(output, SHOWN_LINES).map((line) => `    | ${oneLine(line, 150)}`);
}
