import { execFileSync } from 'node:child_process';

/** Ended, whether or not somebody has fetched its exit code yet. */
export function hasEnded(pid: number): boolean {
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return true;
  }
}
