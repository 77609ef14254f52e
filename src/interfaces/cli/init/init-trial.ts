import type { VerifySection } from '../../../config/project/config-templates.ts';
import type { DetectedVerify } from '../../../config/project/detect-verify.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { compareWithNative, type NativeComparison } from '../../../verification/trial/compare-with-native.ts';
import { bestTrial, runTrials } from '../../../verification/trial/open-trial.ts';
import { type Trial, trialRank } from '../../../verification/trial/try-commands.ts';
import type { CliContext } from '../program/cli-command.ts';
import { describeEvent } from '../verification/describe-event.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { describeTrial, ended, seconds } from './describe-trial.ts';

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

/** Runs the proposed commands, and others where they fail; decides what of them is written. */
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
    const section = sectionOf(trial, compared);
    const { lines, json } = describeTrial(trial, compared);
    return { section, lines: [...lines, ...describeCoverageRule(section)], json };
  } finally {
    ending.forget();
  }
}

/** A native run is worth its time only where the sealed one failed, and is the person's to start, not an agent's. */
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
function sectionOf(trial: Trial, compared: NativeComparison | undefined): VerifySection {
  const { verify, setup, tests, coverage } = trial;
  const remarks = (compared?.missing ?? []).map(({ text }) => text);
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
      remarks: [...remarks, `Coverage did not work when \`guardkit init\` tried it: ${coverage.why}.`],
    };
  const trouble = trialRank(trial) > 1 ? [] : [`When \`guardkit init\` tried it: ${troubleOf(trial)}.`];
  return { verify, remarks: [...trouble, ...remarks] };
}

/** A gate that requires what does not work would refuse all work. */
function describeCoverageRule({ verify, inactive }: VerifySection): string[] {
  return verify !== undefined && inactive?.coverage !== undefined
    ? [
        'Coverage is not required for now. Fix verify.coverage in .guardkit/config.yaml, then delete the lines about coverage in .guardkit/config/quality-gates.yaml.',
      ]
    : [];
}

function troubleOf({ setup, tests }: Trial): string {
  if (setup && setup.exit !== 0) return `the set-up ${ended(setup)}`;
  if (!tests) return 'the time was up before the tests began';
  if (tests.timedOut) return `the tests did not end within the ${seconds(tests.durationMs)} that were left`;
  if (tests.failed > 0) return `${tests.failed} of ${tests.passed + tests.failed} tests failed`;
  if (tests.exit !== 0) return `the test command ${ended(tests)}`;
  return 'the test command named no test; a report can be named in tests.report';
}

function cancelled(): GuardKitError {
  return new GuardKitError({
    code: 'init.cancelled',
    kind: 'refused',
    message: 'Cancelled; nothing was written.',
    hint: '`guardkit init --no-try` writes the commands without running them.',
  });
}
