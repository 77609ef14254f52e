import type { RunEvent } from '../../../orchestration/run/run-event.ts';
import type { RunResult } from '../../../orchestration/run/run-result.ts';
import { describeEnd } from '../../../orchestration/session/compose-dossier.ts';
import { BLOCKED_BEFORE } from '../../../orchestration/session/next-runnable.ts';
import { describeBuildEvent } from '../feature-build/show-build.ts';
import { formatSeconds, formatUsd, joined, OUTCOME_ICONS, oneLine, plural } from '../output/printable.ts';
import type { Report } from '../program/cli-command.ts';
import { describeEvent } from '../verification/describe-verification.ts';

/** The result of a run, for programs and for people. */
export function describeRun(result: RunResult, notices: readonly string[]): Report {
  const { session, reason, pause, why, done, blocked, reopened, left, leftCount } = result;
  const { costUsd, seconds, branch, base, tip } = result;
  return {
    json: {
      session,
      reason,
      pause,
      why,
      done,
      blocked,
      reopened,
      left,
      left_count: leftCount,
      cost_usd: costUsd,
      seconds,
      branch,
      base,
      tip,
      merge: done.length > 0 ? `git merge --no-ff ${branch}` : null,
    },
    text: [
      `${isGood(result) ? '✓' : '✗'} Run ${session}: ${why}`,
      ...(done.length > 0 ? [`Done (${done.length}):`, ...done.map(({ feature }) => `  ✓ ${feature}`)] : []),
      ...(blocked.length > 0
        ? [`Blocked (${blocked.length}):`, ...blocked.flatMap((one) => describeDossier(one))]
        : []),
      ...(reopened.length > 0
        ? [
            `Reopened (${reopened.length}), because they failed together with the rest:`,
            ...reopened.map((one) => `  ↺ ${one.feature}: ${firstLine(one.why)}`),
          ]
        : []),
      ...(leftCount > 0
        ? [`Left (${leftCount}):`, ...left.slice(0, MOST_LEFT).map((one) => `  ○ ${one.feature}: ${one.why}`)]
        : []),
      ...(leftCount > MOST_LEFT ? [`  and ${leftCount - MOST_LEFT} more`] : []),
      joined(`Time: ${formatSeconds(seconds)}`, costUsd > 0 ? `cost: ${formatUsd(costUsd)}` : ''),
      ...nextLines(result),
    ].join('\n'),
    notices,
    exitCode: isGood(result) ? 0 : 1,
  };
}

export const MOST_LEFT = 20;

/** Everything that was asked for is done, and nothing needs a person. */
function isGood({ reason, blocked, reopened, left, only }: RunResult): boolean {
  if (blocked.length > 0 || reopened.length > 0) return false;
  return (
    reason === 'all_done' ||
    reason === 'max_features' ||
    (reason === 'nothing_runnable' && isOnlyUnasked(left, only))
  );
}

/** Features that were not requested may stay open. */
function isOnlyUnasked(left: RunResult['left'], only: RunResult['only']): boolean {
  return left.every(({ feature }) => only !== null && !only.includes(feature));
}

function describeDossier({ feature, attempts, question }: RunResult['blocked'][number]): string[] {
  return [
    `  ✗ ${feature}`,
    ...attempts.flatMap(({ attempt, outcome, why, tried }) => [
      `      ${describeEnd({ attempt, outcome })}. ${firstLine(why)}`,
      ...(tried === '' ? [] : [`        tried: ${firstLine(tried)}`]),
    ]),
    `      Question: ${question}`,
    `      Answer it in the feature, then: guardkit feature unblock ${feature} --reason "…"`,
  ];
}

function nextLines({ reason, done, branch, blocked, reopened, left }: RunResult): string[] {
  if (reason === 'paused') return ['Next: `guardkit run` resumes it.'];
  const merge =
    done.length > 0 ? [`Merge ${plural(done.length, 'feature')} with: git merge --no-ff ${branch}`] : [];
  const again =
    reopened.length > 0 || blocked.length > 0
      ? ['`guardkit run` starts another run with the open features, on top of this one.']
      : [];
  const standing = left.filter(({ why }) => why === BLOCKED_BEFORE);
  const unblock =
    standing.length > 0
      ? [
          '`guardkit feature show ID` shows the question of a blocked feature; `guardkit feature unblock ID --reason "…"` unblocks it.',
        ]
      : [];
  return [...merge, ...again, ...unblock];
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

type Moved = Extract<RunEvent, { type: 'run_moved' }>;

/** One line for a person; undefined if the event is not shown. */
export function describeRunEvent(event: RunEvent, verbose: boolean): string | undefined {
  switch (event.type) {
    case 'run_began': {
      const { session, branch, base, resumed } = event;
      const verb = resumed ? 'Resuming' : 'Starting';
      return `${verb} run ${session} on ${branch}, from ${base.slice(0, 12)}`;
    }
    case 'run_moved': {
      const { from, to, feature, attempt, failure, result } = event;
      const what = feature === null ? '' : ` ${feature}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
      if (to === 'coding' && from !== 'waiting')
        return `▶${what}${failure ? `: ${describeFailure(failure)}` : ''}`;
      if (verbose) return `  ${from} → ${to}${what}`;
      if (to === 'initializing' && attempt > 1 && result !== null) return `  ${oneLine(result, 600)}`;
      return from === 'coding' && to === 'choosing' && result !== null
        ? `  ${result.split('\n', 1)[0]}`
        : undefined;
    }
    case 'run_refused':
      return verbose ? `  ${event.event} ignored in this phase: ${event.why}` : undefined;
    case 'run_verifying':
      return `    ${describeEvent(event.event)}`;
    case 'run_verified': {
      const { feature, outcome, gates, last } = event;
      const open = gates.filter(({ required, result }) => required && result !== 'pass');
      return [
        `  ${OUTCOME_ICONS[outcome]} ${feature} ${last ? 'verified with all other features' : 'verified'}: ${outcome}`,
        ...open.map(
          ({ gate, result, reason }) => `      ${OUTCOME_ICONS[result]} ${gate.padEnd(15)} ${reason}`,
        ),
      ].join('\n');
    }
    case 'run_stacked':
      return `  ${event.feature} is on ${event.branch} as ${event.commit.slice(0, 12)}`;
    case 'run_waiting':
      return `  waiting until ${event.until}: ${event.why}`;
    case 'run_ended':
      return undefined;
    case 'protected':
      // The same for every feature of a run.
      return verbose ? describeBuildEvent(event, verbose) : undefined;
    default:
      return describeBuildEvent(event, verbose);
  }
}

function describeFailure({ attempt, outcome, why }: NonNullable<Moved['failure']>): string {
  const [first = ''] = why.split('\n', 1);
  return oneLine(`${describeEnd({ attempt, outcome })}. ${first}`, 300);
}
