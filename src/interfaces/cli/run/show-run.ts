import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import type { RunEvent } from '../../../orchestration/run/run-event.ts';
import { type ShownEvents, showEvents } from '../build/show-events.ts';
import type { CliContext } from '../program/cli-command.ts';
import { describeRunEvent } from './describe-run-event.ts';

/** Shows a run to whoever watches, and keeps all of it in the log. */
export function showRun(
  context: Pick<CliContext, 'progress' | 'status'>,
  root: string,
  asked: { verbose: boolean; jsonEvents: boolean },
): ShownEvents<RunEvent> {
  return showEvents<RunEvent>(context, root, asked, {
    describe: describeRunEvent,
    log: (event) => describeRunEvent(event, true),
    ofBuild: (event) => (event.type.startsWith('run_') ? undefined : (event as BuildEvent)),
  });
}
