import { lstatSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { loadPart } from '../../platform/load-part.ts';
import type { ProcessLock } from '../../platform/processes/process-lock.ts';

/** What the system says where nothing may be written, as in an agent's sandbox; ENOENT is Node's word for folders. */
const NOT_WRITABLE = /^(?:EROFS|ENOENT|EACCES|EPERM|ENOTDIR|SQLITE_CANTOPEN|SQLITE_READONLY)(?:_[A-Z]+)*$/;

/**
 * Takes the lock of a graph, in the data folder. An agent in a sandbox does not have that: it keeps to a lock of its own
 * there, and against everybody outside there is still the look at the file right before it is replaced.
 */
export async function lockGraph(home: string, name: string): Promise<ProcessLock | undefined> {
  // Only who writes needs the database driver that it locks with.
  const { tryLock } = await loadPart(() => import('../../platform/processes/process-lock.ts'));
  try {
    return tryLock(join(home, 'locks', 'architecture', name));
  } catch (error) {
    const fallback = NOT_WRITABLE.test(codeOf(error)) ? ownTemporaryFolder() : undefined;
    if (fallback === undefined) throw error;
    return tryLock(join(fallback, name));
  }
}

/** In a folder that everybody may write to, only one that is ours. */
function ownTemporaryFolder(): string | undefined {
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `guardkit-locks-${user}`);
  makeFolder(folder, 0o700);
  const found = lstatSync(folder);
  return found.isDirectory() && (process.getuid === undefined || found.uid === user) ? folder : undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
