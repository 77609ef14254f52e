import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import { formatSeconds, formatUsd, joined, OUTCOME_ICONS, oneLine, plural } from '../output/printable.ts';
import type { CliContext } from '../program/cli-command.ts';
import { describeEvent } from '../verification/describe-verification.ts';
import { type ShownEvents, showEvents } from './show-events.ts';

/** Shows a build's events and logs all of them. */
export function showBuild(
  context: Pick<CliContext, 'progress' | 'status'>,
  root: string,
  asked: { verbose: boolean; jsonEvents?: boolean },
): ShownEvents<BuildEvent> {
  return showEvents<BuildEvent>(context, root, asked, {
    describe: describeBuildEvent,
    log: (event) =>
      event.type === 'build_ended'
        ? `${event.outcome}: ${event.why} $${event.costUsd.toFixed(2)}. ${event.next}`
        : describeBuildEvent(event, true),
    ofBuild: (event) => event,
  });
}

/** One line for a person; undefined if the event is not shown. */
export function describeBuildEvent(event: BuildEvent, verbose: boolean): string | undefined {
  switch (event.type) {
    case 'protected': {
      const { memory, sandbox, guards, gates } = event.by;
      return [`Memory:  ${memory}`, `Sandbox: ${sandbox}`, `Guards:  ${guards}`, `Gates:   ${gates}`].join(
        '\n',
      );
    }
    case 'build_began': {
      const { feature, tasks, worktree, branch, resumed } = event;
      const verb = resumed ? 'Resuming' : 'Building';
      return `${verb} ${feature} (${tasks.join(', ')}) on ${branch} in ${worktree}`;
    }
    case 'notice':
      return `! ${event.text}`;
    case 'task_began':
      return `${event.task}: ${event.title}`;
    case 'turn_began':
      return `  turn ${event.turn} (${event.mode})`;
    case 'prompted': {
      const leftOut = event.leftOut.length > 0 ? `; omitted: ${event.leftOut.join('; ')}` : '';
      return verbose ? `    ${event.role} received: ${event.injected.join(', ')}${leftOut}` : undefined;
    }
    case 'agent_began':
      return `    … ${event.role} (${event.driver})`;
    case 'agent_did':
      return verbose ? `      ${event.line}` : undefined;
    case 'agent_ended': {
      const refused = event.refused > 0 ? `; refused: ${event.refused}` : '';
      const back = event.putBack.length > 0 ? `; restored: ${event.putBack.join(', ')}` : '';
      const why = event.why === undefined ? '' : `: ${oneLine(event.why, 300)}`;
      const end = `${event.end.replace('_', ' ')}${why}`;
      return `    ${event.role}: ${joined(end, formatUsd(event.usage.costUsd))}${refused}${back}`;
    }
    case 'waiting':
      return `    waiting until ${new Date(event.until).toISOString()}: ${event.why}`;
    case 'committed': {
      const back = event.putBack.length > 0 ? `; restored: ${event.putBack.join(', ')}` : '';
      return `    committed ${event.commit.slice(0, 12)}${back}`;
    }
    case 'verifying':
      return `    ${describeEvent(event.event)}`;
    case 'verified':
      return [
        `    gates: ${event.outcome}`,
        ...event.gates
          .filter(({ required, result }) => required || result === 'fail')
          .map(({ gate, result, reason }) => `      ${OUTCOME_ICONS[result]} ${gate.padEnd(15)} ${reason}`),
      ].join('\n');
    case 'judged': {
      const because = event.overriddenBecause.map((why) => `\n      ! ${why}`).join('');
      return `    coach: ${event.decision ?? 'no verdict'}${because}`;
    }
    case 'turn_captured':
      return event.ok
        ? `    turn state captured: ${joined(formatSeconds(event.seconds), formatUsd(event.costUsd))}`
        : `    turn state NOT captured: ${event.why}`;
    case 'task_ended':
      return `${event.task}: ${event.outcome} after ${plural(event.turns, 'turn')}`;
    case 'build_ended':
      return undefined;
  }
}
