import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';

/** Names the file or folder without permission, and the command to fix it. Undefined for other errors. */
export function explainAccess(error: unknown): GuardKitError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined;
  const { code, path } = error;
  if ((code !== 'EACCES' && code !== 'EPERM') || typeof path !== 'string') return undefined;
  const closed = closedPath(path);
  return new GuardKitError({
    code: 'file.no-access',
    kind: 'outside',
    message: `${closed} cannot be read: permission denied.`,
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
