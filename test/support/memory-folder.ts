import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/dev/shm';
const PREFIX = 'guardkit-tests-';
/** More than all tests together lay there at once. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * A folder that lies in memory, for tests that wait for the disk most of their time: a ledger has every entry written
 * through to it. Undefined where there is none that is large enough and lets programs in it run.
 */
export function memoryFolder(): string | undefined {
  const folder = join(ROOT, `${PREFIX}${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(ROOT);
    if (process.platform !== 'linux' || bavail * bsize < ENOUGH_BYTES) return undefined;
    removeDead();
    mkdirSync(folder, { recursive: true });
    const program = join(folder, 'runs');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
    return folder;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

/** What a run that was killed has left would take up memory for as long as the machine runs. */
function removeDead(): void {
  for (const name of readdirSync(ROOT)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : 0;
    if (Number.isInteger(pid) && pid > 0 && !isAlive(pid))
      rmSync(join(ROOT, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
