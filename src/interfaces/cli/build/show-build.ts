import type { BuildEvent } from '../../../orchestration/build/build-event.ts';
import type { CliContext } from '../cli-command.ts';
import { openBuildLog } from './build-log.ts';
import { describeBuildEvent } from './describe-build-event.ts';
import { LiveProgress } from './live-progress.ts';

const EVERY_MS = 1000;

export interface ShownBuild {
  emit(event: BuildEvent): void;
  /** Called when the build is over, however it ended. */
  end(): void;
}

/** Shows a build to whoever watches, and keeps all of it in the log. */
export function showBuild(
  context: Pick<CliContext, 'progress' | 'status'>,
  root: string,
  { verbose, jsonEvents = false }: { verbose: boolean; jsonEvents?: boolean },
): ShownBuild {
  const log = openBuildLog(root);
  const live = new LiveProgress(performance.now());
  const refresh = () => {
    if (!jsonEvents) context.status(live.line(performance.now()));
  };
  const timer = setInterval(refresh, EVERY_MS);
  return {
    emit: (event) => {
      log.write(event);
      live.see(event, performance.now());
      const line = jsonEvents ? JSON.stringify(event) : describeBuildEvent(event, verbose);
      if (line !== undefined) context.progress(line);
      refresh();
    },
    end: () => clearInterval(timer),
  };
}
