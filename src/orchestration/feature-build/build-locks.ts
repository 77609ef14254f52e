import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { isWorkId } from '../../domain/entities/work-id.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { endMarked, joinRun } from '../../platform/processes/end-processes.ts';
import { type ProcessLock, tryLock } from '../../platform/processes/process-lock.ts';
import { readProcess } from '../../platform/processes/process-table.ts';

const holderSchema = z.object({
  pid: z.number(),
  host: z.string(),
  since: z.string(),
  /** That everything which the holder starts belongs to. */
  run: z.uuid().optional(),
});

type Holder = z.infer<typeof holderSchema>;

/** One build of a feature at a time. */
export function lockFeature(home: string, project: string, featureId: string): Promise<ProcessLock> {
  return holdLock(join(lockFolder(home, project), `${featureId}.lock`), (who) => taken(featureId, who));
}

export interface RunningBuild {
  /** Null for `guardkit run`, which builds one feature after another. */
  feature: string | null;
  pid: number;
  since: string;
}

/** Builds and runs on this machine whose process is alive. */
export function runningBuilds(home: string, project: string): RunningBuild[] {
  const folder = lockFolder(home, project);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const feature = /^(.+)\.lock\.json$/.exec(name)?.[1];
    const holder = feature === undefined ? undefined : readHolder(join(folder, name));
    if (feature === undefined || holder?.host !== hostname() || !readProcess(holder.pid)) return [];
    return [{ feature: isWorkId(feature) ? feature : null, pid: holder.pid, since: holder.since }];
  });
}

function lockFolder(home: string, project: string): string {
  return join(home, 'locks', project);
}

/** Held by one process at a time; one that was killed holds nothing any more, and what it left running is ended. */
export async function holdLock(path: string, taken: (who: string) => GuardKitError): Promise<ProcessLock> {
  const lock = tryLock(path);
  const holderPath = `${path}.json`;
  if (!lock) throw taken(tellHolder(readHolder(holderPath)));
  try {
    await endRest(readHolder(holderPath));
    const run = randomUUID();
    const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString(), run };
    writeFileAtomic(holderPath, `${JSON.stringify(holder)}\n`, 0o600);
    const leaveRun = joinRun(run);
    return {
      release: () => {
        leaveRun();
        rmSync(holderPath, { force: true });
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Who gives a lock back takes its name away; where one stands, its process was killed, and its agents may live on. */
async function endRest(left: Holder | undefined): Promise<void> {
  if (left?.run !== undefined && left.host === hostname()) await endMarked(left.run);
}

function tellHolder(holder: Holder | undefined): string {
  return holder ? `by process ${holder.pid} on ${holder.host} since ${holder.since}` : 'by another process';
}

function taken(featureId: string, who: string): GuardKitError {
  return new GuardKitError({
    code: 'build.taken',
    kind: 'refused',
    message: `${featureId} is being built already, ${who}.`,
    hint: 'Wait for that build, or end it; then run this again, with --resume to go on where it stopped.',
  });
}

function readHolder(path: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Safe: the lock itself is what holds; who has or had it is known or not.
    return undefined;
  }
}

/** One run of a project at a time. No feature has an id with a space in it. */
export function lockRun(home: string, project: string): Promise<ProcessLock> {
  return holdLock(join(home, 'locks', project, 'the run.lock'), (who) => takenByRun(who));
}

function takenByRun(who: string): GuardKitError {
  return new GuardKitError({
    code: 'run.taken',
    kind: 'refused',
    message: `A run of this project is under way already, held ${who}.`,
    hint: 'Wait for it, or end it with Ctrl-C where it runs; then run this again, and it goes on where that one stopped.',
  });
}
