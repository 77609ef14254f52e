import type { BuildEvent } from '../../../orchestration/build/build-event.ts';
import type { RunEvent } from '../../../orchestration/run/run-event.ts';
import { openBuildLog } from '../build/build-log.ts';
import { LiveProgress } from '../build/live-progress.ts';
import type { CliContext } from '../cli-command.ts';
import { describeRunEvent } from './describe-run-event.ts';

const EVERY_MS = 1000;

/** Shows a run to whoever watches, and keeps all of it in the log. */
export function showRun(
  context: Pick<CliContext, 'progress' | 'status'>,
  root: string,
  { verbose, jsonEvents }: { verbose: boolean; jsonEvents: boolean },
): { emit(event: RunEvent): void; end(): void } {
  const log = openBuildLog(root);
  const live = new LiveProgress(performance.now());
  const refresh = () => {
    if (!jsonEvents) context.status(live.line(performance.now()));
  };
  const timer = setInterval(refresh, EVERY_MS);
  return {
    emit: (event) => {
      const told = describeRunEvent(event, true);
      if (told !== undefined) log.writeLine(told);
      if (!event.type.startsWith('run_')) live.see(event as BuildEvent, performance.now());
      const line = jsonEvents ? JSON.stringify(event) : describeRunEvent(event, verbose);
      if (line !== undefined) context.progress(line);
      refresh();
    },
    end: () => clearInterval(timer),
  };
}
