import { GuardKitError } from '../../guardkit-error.ts';
import { runProcess } from '../processes/run-process.ts';

const TIMEOUT_MS = 10 * 60_000;

/**
 * Copies a folder with owners, modes and times, with copy-on-write where the file system supports it. The target must not
 * exist.
 */
export async function copyTree(from: string, to: string): Promise<void> {
  // The system's cp is many times faster than copying file by file, and supports copy-on-write.
  const clone = process.platform === 'darwin' ? ['-c'] : ['--reflink=auto'];
  const options = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, timeoutMs: TIMEOUT_MS };
  const first = await runProcess('/bin/cp', ['-a', ...clone, '--', from, to], options);
  if (first.exitCode === 0) return;
  throw new GuardKitError({
    code: 'files.not-copied',
    kind: 'outside',
    message: `${from} could not be copied to ${to}: ${first.tail.trim().slice(0, 500)}.`,
    hint: 'Check that the disk is not full and that the folder can be read.',
  });
}
