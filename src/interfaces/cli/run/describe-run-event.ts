import type { RunEvent } from '../../../orchestration/run/run-event.ts';
import { describeBuildEvent } from '../build/describe-build-event.ts';
import { OUTCOME_ICONS } from '../output/outcome-icons.ts';
import { oneLine } from '../output/printable.ts';
import { describeEvent } from '../verification/describe-event.ts';

type Moved = Extract<RunEvent, { type: 'run_moved' }>;

/** One line for a person; undefined where there is nothing to say. */
export function describeRunEvent(event: RunEvent, verbose: boolean): string | undefined {
  switch (event.type) {
    case 'run_began': {
      const { session, branch, base, resumed } = event;
      const verb = resumed ? 'Going on with' : 'Starting';
      return `${verb} run ${session} on ${branch}, from ${base.slice(0, 12)}`;
    }
    case 'run_moved': {
      const { from, to, feature, attempt, failure, result } = event;
      const what = feature === null ? '' : ` ${feature}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
      if (to === 'coding' && from !== 'waiting')
        return `▶${what}${failure ? `: ${tellFailure(failure)}` : ''}`;
      if (verbose) return `  ${from} → ${to}${what}`;
      if (to === 'initializing' && attempt > 1 && result !== null) return `  ${oneLine(result, 600)}`;
      return from === 'coding' && to === 'choosing' && result !== null
        ? `  ${result.split('\n', 1)[0]}`
        : undefined;
    }
    case 'run_refused':
      return verbose ? `  ${event.event} is not for the session now: ${event.why}` : undefined;
    case 'run_verifying':
      return `    ${describeEvent(event.event)}`;
    case 'run_verified': {
      const { feature, outcome, gates, last } = event;
      const open = gates.filter(({ required, result }) => required && result !== 'pass');
      return [
        `  ${OUTCOME_ICONS[outcome]} ${feature} ${last ? 'with everything else' : 'verified'}: ${outcome}`,
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

function tellFailure({ attempt, outcome, why }: NonNullable<Moved['failure']>): string {
  const [first = ''] = why.split('\n', 1);
  return oneLine(`attempt ${attempt} ended with ${outcome.replace('_', ' ')}. ${first}`, 300);
}
