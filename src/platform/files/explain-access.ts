import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';

/** Why a file cannot be written, whatever its mode, and what to do. */
const UNWRITABLE: Readonly<Record<string, { why: string; hint: string }>> = {
  EROFS: {
    why: 'its file system is read-only',
    hint: 'Run the command where the project and GuardKit’s data folder can be written.',
  },
  ENOSPC: { why: 'the disk is full', hint: 'Free some space, then try again.' },
  EDQUOT: { why: 'your disk quota is used up', hint: 'Free some space, then try again.' },
};

/** Names the file or folder that cannot be read or written, and what to do. Undefined for other errors. */
export function explainAccess(error: unknown): GuardKitError | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code } = error;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  const unwritable =
    typeof code === 'string' && Object.hasOwn(UNWRITABLE, code) ? UNWRITABLE[code] : undefined;
  // ENOSPC can also mean that no more files can be watched.
  const isWatch = 'syscall' in error && error.syscall === 'watch';
  if (unwritable && !isWatch)
    return new GuardKitError({
      code: 'file.not-written',
      kind: 'outside',
      message: `${path === undefined ? 'A file' : dirname(path)} cannot be written: ${unwritable.why}.`,
      hint: unwritable.hint,
      cause: error,
    });
  if ((code !== 'EACCES' && code !== 'EPERM') || path === undefined) return undefined;
  const closed = closedPath(path);
  return new GuardKitError({
    code: 'file.no-access',
    kind: 'outside',
    message: `GuardKit has no access to ${closed}: permission denied.`,
    hint: `Run \`chmod u+rwX '${closed}'\` in your own terminal, then try again.`,
    cause: error,
  });
}

/** The nearest visible parent: its mode hides everything below. */
export function closedPath(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    try {
      if (lstatSync(at, { throwIfNoEntry: false })) return at;
    } catch {
      // Safe: it is hidden by a folder above it.
    }
    if (at === dirname(at)) return path;
  }
}
