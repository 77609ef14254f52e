import { readdirSync, readFileSync } from 'node:fs';
import { type ShellProfile, type ShellRepository, shellFolder } from './shell-folder.ts';

/**
 * The profile of the wrapper that a process runs in, by its mounts, which it cannot get rid of: those of a nested user
 * namespace are locked. Undefined outside of every wrapper, and where the system does not tell.
 */
export function wrapperProfile(pid: number | 'self', folder: string): ShellProfile | undefined {
  let mounts: string;
  try {
    mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
  } catch {
    // Safe: the process has ended, is another user's, or this system has no /proc.
    return undefined;
  }
  const found = mounts.includes(`${folder}/profile/`)
    ? /\/profile\/(git|ordinary) /.exec(mounts.slice(mounts.indexOf(`${folder}/profile/`)))?.[1]
    : undefined;
  return found === 'git' || found === 'ordinary' ? found : undefined;
}

/** Whether any process runs in a wrapper of this repository, or only in one of these profiles. */
export function hasWrappedProcesses(
  dataFolder: string,
  repository: ShellRepository,
  profiles: readonly ShellProfile[] = ['ordinary', 'git'],
): boolean {
  const folder = shellFolder(dataFolder, repository).path;
  let own = '';
  try {
    own = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    // Safe: a system without /proc has no wrapper of this kind.
    return false;
  }
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    const profile = wrapperProfile(Number(name), folder);
    return profile !== undefined && profiles.includes(profile) && !own.includes(`${folder}/profile/`);
  });
}
