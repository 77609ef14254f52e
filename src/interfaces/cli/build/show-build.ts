import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import type { CliContext } from '../program/cli-command.ts';
import { describeBuildEvent } from './describe-build-event.ts';
import { type ShownEvents, showEvents } from './show-events.ts';

/** Shows a build to whoever watches, and keeps all of it in the log. */
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
