import { GuardKitError } from '../../guardkit-error.ts';

type Explanation = Pick<GuardKitError, 'code' | 'message' | 'hint'>;

/** Converts errors of SQLite or the file system into a message and a hint; a bug passes through unchanged. */
export function databaseError(error: unknown, path: string, label: string): unknown {
  if (error instanceof GuardKitError) return error;
  const explanation = explain(errorCode(error), path, label);
  if (!explanation) return error;
  return new GuardKitError({ kind: 'outside', cause: error, ...explanation });
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function explain(code: string, path: string, label: string): Explanation | undefined {
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return {
      code: 'store.locked',
      message: `The ${label} ${path} is locked by another process.`,
      hint: 'Wait for the other guardkit command to finish, or stop it, then try again.',
    };
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return {
      code: 'store.corrupt',
      message: `${path} is damaged or not a database.`,
      hint: `Restore it from a backup, or move it elsewhere: guardkit then creates a new ${label}. The file was not changed.`,
    };
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return {
      code: 'store.disk-full',
      message: `Disk full: cannot write the ${label} ${path}.`,
      hint: 'Free some space and try again. Existing data is intact.',
    };
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN') || isAccessError(code)) {
    return {
      code: 'store.not-writable',
      message: `Cannot open the ${label} ${path} for writing (${code}).`,
      hint: 'Check the permissions of the file and its folder, or set GUARDKIT_HOME to a writable folder.',
    };
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return {
      code: 'store.io',
      message: `Disk error while using the ${label} ${path} (${code}).`,
      hint: 'Check the disk and its free space, then try again.',
    };
  }
  return undefined;
}

function isAccessError(code: string): boolean {
  return [
    'EACCES',
    'EPERM',
    'EROFS',
    'ENOTDIR',
    'EEXIST',
    'EISDIR',
    'ENOENT',
    'SQLITE_PERM',
    'SQLITE_AUTH',
  ].includes(code);
}
