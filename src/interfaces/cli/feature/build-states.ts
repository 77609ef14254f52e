import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runningBuilds } from '../../../orchestration/feature-build/build-locks.ts';
import { type LastBuild, lastBuilds } from '../../../orchestration/feature-build/last-builds.ts';
import type { CliContext } from '../program/cli-command.ts';

export interface BuildState {
  running: boolean;
  /** The last build that ended, unless it was merged or discarded. */
  last: LastBuild | undefined;
}

/** The builds of this project's features. Does not create a ledger. */
export async function readBuildStates(context: CliContext): Promise<(feature: string) => BuildState> {
  const { project, home } = await context.workspace();
  if (!project.known || !existsSync(join(home, 'ledger.db')))
    return () => ({ running: false, last: undefined });
  const running = new Set(runningBuilds(home, project.id).map(({ feature }) => feature));
  const builds = lastBuilds(await context.ledger(), project.id, running);
  return (feature) => {
    const last = builds.get(feature);
    return { running: running.has(feature), last: last?.settled ? undefined : last };
  };
}

export function buildJson({ running, last }: BuildState) {
  return { running, last_build: last ? { outcome: last.outcome, why: last.why, at: last.at } : null };
}
