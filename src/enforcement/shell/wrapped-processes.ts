import { readFileSync } from 'node:fs';
import { processIds } from '../../platform/proc-processes.ts';
import { repositoryKey, type ShellProfile, type ShellRepository } from './shell-folder.ts';

/** A wrapper that a process runs in. */
interface Wrapper {
  /** Of the repository. */
  key: string;
  profile: ShellProfile;
}

/** The profile that a process runs in; undefined for a process outside of every wrapper, and where the system has no /proc. */
export function isWrapped(pid: number | 'self' = 'self'): ShellProfile | undefined {
  // Of a sandbox in a sandbox, the outer one comes first, and it decides what can be written.
  return wrappersOf(pid)[0]?.profile;
}

/** Whether any process runs in a wrapper of this repository, or only in one of these profiles. Reads the process table. */
export function hasWrappedProcesses(
  _dataFolder: string,
  repository: ShellRepository,
  profiles: readonly ShellProfile[] = ['ordinary', 'git'],
): boolean {
  const key = repositoryKey(repository);
  // A process in the same sandbox as this one is seen from inside, where nothing is decided.
  if (wrappersOf('self').some((own) => own.key === key)) return false;
  return processIds().some((pid) =>
    wrappersOf(pid).some((wrapper) => wrapper.key === key && profiles.includes(wrapper.profile)),
  );
}

const PROFILE_MOUNT = /\/shell\/([0-9a-f]{16})\/profile\/(ordinary|git)$/;

/**
 * By the mounts of a process: it cannot remove one that its sandbox was made with, not even in a namespace of its own. The
 * root of a mount is relative to its file system, so that only its end is compared.
 */
function wrappersOf(pid: number | 'self'): Wrapper[] {
  const text = mountsOf(pid);
  if (!text.includes('/profile/')) return [];
  return text.split('\n').flatMap((line): Wrapper[] => {
    const [, , , root = '', target = ''] = line.split(' ');
    const [, key = '', profile] = PROFILE_MOUNT.exec(root) ?? [];
    if (profile === undefined || !target.endsWith(`/shell/${key}/profile/current`)) return [];
    return [{ key, profile: profile === 'git' ? 'git' : 'ordinary' }];
  });
}

function mountsOf(pid: number | 'self'): string {
  try {
    return readFileSync(`/proc/${pid}/mountinfo`, 'latin1');
  } catch {
    // Safe: the process has ended, or is another user's, or this system has no /proc.
    return '';
  }
}
