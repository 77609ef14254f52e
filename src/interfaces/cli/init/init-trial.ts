import type { VerifySection } from '../../../config/project/config-templates.ts';
import type { DetectedVerify } from '../../../config/project/detect-verify.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { compareWithNative, type NativeComparison } from '../../../verification/trial/compare-with-native.ts';
import { bestTrial, runTrials } from '../../../verification/trial/open-trial.ts';
import { type Trial, type TriedCoverage, trialRank } from '../../../verification/trial/try-commands.ts';
import { oneLine } from '../output/printable.ts';
import type { CliContext } from '../program/cli-command.ts';
import { describeEvent } from '../verification/describe-verification.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { describeTrial, lastStep, seconds, troubleOf } from './describe-trial.ts';

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
      remarks: [...remarks, coverageTrouble(coverage)],
    };
  const trouble = trialRank(trial) > 1 ? [] : [`When \`guardkit init\` tried it: ${troubleOf(trial)}.`];
  return { verify, remarks: [...trouble, ...remarks] };
}

function coverageTrouble({ why, step }: Extract<TriedCoverage, { found: false }>): string {
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

function cancelled(): GuardKitError {
  return new GuardKitError({
    code: 'init.cancelled',
    kind: 'refused',
    message: 'Cancelled; nothing written.',
    hint: '`guardkit init --no-try` writes the commands without running them.',
  });
}
