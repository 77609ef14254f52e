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
  /** When the process started, in the system's unit: after a restart another process may have its id. */
  started: z.number().optional(),
  /** Marks every process that the holder starts. */
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

/** Builds and runs on this machine with a live process. */
export function runningBuilds(home: string, project: string): RunningBuild[] {
  const folder = lockFolder(home, project);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const feature = /^(.+)\.lock\.json$/.exec(name)?.[1];
    const holder = feature === undefined ? undefined : readHolder(join(folder, name));
    if (feature === undefined || holder?.host !== hostname()) return [];
    const found = readProcess(holder.pid);
    if (!found || found.started !== (holder.started ?? found.started)) return [];
    return [{ feature: isWorkId(feature) ? feature : null, pid: holder.pid, since: holder.since }];
  });
}

function lockFolder(home: string, project: string): string {
  return join(home, 'locks', project);
}

/** Takes a lock for this process. Leftover processes of a killed holder are ended first. */
export async function holdLock(path: string, taken: (who: string) => GuardKitError): Promise<ProcessLock> {
  const lock = tryLock(path);
  const holderPath = `${path}.json`;
  if (!lock) throw taken(describeHolder(readHolder(holderPath)));
  try {
    await endRest(readHolder(holderPath));
    const run = randomUUID();
    const holder: Holder = {
      pid: process.pid,
      host: hostname(),
      since: new Date().toISOString(),
      started: readProcess(process.pid)?.started,
      run,
    };
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

/** A release deletes the holder file; if one exists, its process was killed and its agents may still run. */
async function endRest(left: Holder | undefined): Promise<void> {
  if (left?.run !== undefined && left.host === hostname()) await endMarked(left.run);
}

function describeHolder(holder: Holder | undefined): string {
  return holder ? `by process ${holder.pid} on ${holder.host} since ${holder.since}` : 'by another process';
}

function taken(featureId: string, who: string): GuardKitError {
  return new GuardKitError({
    code: 'build.taken',
    kind: 'refused',
    message: `${featureId} is already being built, ${who}.`,
    hint: `Wait for that build or stop it; then run this again. \`guardkit feature-build ${featureId} --resume\` continues a stopped build.`,
  });
}

function readHolder(path: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Safe: the lock decides; the holder is only information.
    return undefined;
  }
}

/** One run of a project at a time. The space in the name cannot clash with a feature id. */
export function lockRun(home: string, project: string): Promise<ProcessLock> {
  return holdLock(join(home, 'locks', project, 'the run.lock'), (who) => takenByRun(who));
}

function takenByRun(who: string): GuardKitError {
  return new GuardKitError({
    code: 'run.taken',
    kind: 'refused',
    message: `A run of this project is already active, started ${who}.`,
    hint: 'Wait for it, or stop it with Ctrl-C where it runs; then run this again to continue where it stopped.',
  });
}

/** Ends the agents of workers that were killed on this machine: taking a dead holder's lock ends its processes. */
export async function endLeftovers(home: string, project: string): Promise<void> {
  const folder = join(home, 'locks', project);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const feature = /^(.+)\.lock\.json$/.exec(name)?.[1];
    if (feature === undefined || !isWorkId(feature)) continue;
    try {
      (await lockFeature(home, project, feature)).release();
    } catch (error) {
      // A living worker has it.
      if (!(error instanceof GuardKitError && error.code === 'build.taken')) throw error;
    }
  }
}
