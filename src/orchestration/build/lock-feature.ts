import { readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { type ProcessLock, tryLock } from '../../platform/process-lock.ts';

const holderSchema = z.object({ pid: z.number(), host: z.string(), since: z.string() });

/** One build of a feature at a time. A process that was killed holds nothing any more. */
export function lockFeature(home: string, project: string, featureId: string): ProcessLock {
  const path = join(home, 'locks', project, `${featureId}.lock`);
  const lock = tryLock(path);
  const holderPath = `${path}.json`;
  if (!lock) throw taken(featureId, holderPath);
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeFileAtomic(holderPath, `${JSON.stringify(holder)}\n`, 0o600);
  return {
    release: () => {
      rmSync(holderPath, { force: true });
      lock.release();
    },
  };
}

function taken(featureId: string, holderPath: string): GuardKitError {
  return new GuardKitError({
    code: 'build.taken',
    kind: 'refused',
    message: `${featureId} is being built already, ${describeHolder(holderPath)}.`,
    hint: 'Wait for that build, or end it; then run this again, with --resume to go on where it stopped.',
  });
}

function describeHolder(path: string): string {
  try {
    const { pid, host, since } = holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return `by process ${pid} on ${host} since ${since}`;
  } catch {
    // Safe: the lock itself is what holds; who has it is only for people.
    return 'by another process';
  }
}
