import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { scrubSecrets } from '../../../domain/secrets/scrub-secrets.ts';
import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import type { CliContext } from '../program/cli-command.ts';
import { LiveProgress } from './live-progress.ts';

const EVERY_MS = 1000;

/** What is told of the events of something that takes long. */
export interface Telling<Event> {
  describe(event: Event, verbose: boolean): string | undefined;
  /** For the log, which has everything. */
  log(event: Event): string | undefined;
  /** The event of a build that it is, if it is one. */
  ofBuild(event: Event): BuildEvent | undefined;
}

export interface ShownEvents<Event> {
  emit(event: Event): void;
  /** Called when it is over, however it ended. */
  end(): void;
}

/** Shows what happens to whoever watches, and keeps all of it in the log. */
export function showEvents<Event>(
  context: Pick<CliContext, 'progress' | 'status'>,
  root: string,
  { verbose, jsonEvents = false }: { verbose: boolean; jsonEvents?: boolean },
  { describe, log, ofBuild }: Telling<Event>,
): ShownEvents<Event> {
  const file = openBuildLog(root);
  const live = new LiveProgress(performance.now());
  const refresh = () => {
    if (!jsonEvents) context.status(live.line(performance.now()));
  };
  const timer = setInterval(refresh, EVERY_MS);
  return {
    emit: (event) => {
      const told = log(event);
      if (told !== undefined) file.writeLine(told);
      const built = ofBuild(event);
      if (built) live.see(built, performance.now());
      const line = jsonEvents ? JSON.stringify(event) : describe(event, verbose);
      if (line !== undefined) context.progress(line);
      refresh();
    },
    end: () => clearInterval(timer),
  };
}

/** `.guardkit/logs/autobuild.log`, a line for everything that happened. */
function openBuildLog(root: string): { writeLine(line: string): void } {
  const folder = join(root, '.guardkit', 'logs');
  let broken = false;
  const writeLine = (line: string) => {
    if (broken) return;
    try {
      mkdirSync(folder, { recursive: true });
      const at = new Date().toISOString();
      const lines = scrubSecrets(line).split('\n');
      appendFileSync(join(folder, 'autobuild.log'), lines.map((one) => `${at} ${one}\n`).join(''));
    } catch {
      // Safe: the ledger has everything; a log that cannot be written must not end a build.
      broken = true;
    }
  };
  return { writeLine };
}
