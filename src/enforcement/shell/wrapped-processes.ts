import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { namesIn } from '../../platform/files/names-in.ts';
import { processIds } from '../../platform/processes/proc-processes.ts';
import { repositoryKey, type ShellProfile, type ShellRepository } from './shell-folder.ts';

/** A wrapper that a process runs in. */
interface Wrapper {
  /** Repository key. */
  key: string;
  profile: ShellProfile;
}

/** The profile of a process; undefined outside of every wrapper, and on a system without /proc. */
export function isWrapped(pid: number | 'self' = 'self'): ShellProfile | undefined {
  // With nested sandboxes the outer one comes first, and it decides what is writable.
  return wrappersOf(pid)[0]?.profile;
}

/** Whether any process runs in a wrapper of this repository with one of these profiles. Reads the process table. */
export function hasWrappedProcesses(
  repository: ShellRepository,
  profiles: readonly ShellProfile[] = ['ordinary', 'git'],
): boolean {
  const key = repositoryKey(repository);
  // Nothing is decided inside a wrapper of this repository.
  if (wrappersOf('self').some((own) => own.key === key)) return false;
  const own = namespaceOf('self');
  return processIds().some(
    (pid) =>
      // A third of the time that its mounts take. Every wrapper has a namespace of its own.
      (own === '' || namespaceOf(pid) !== own) &&
      wrappersOf(pid).some((wrapper) => wrapper.key === key && profiles.includes(wrapper.profile)),
  );
}

function namespaceOf(pid: number | 'self'): string {
  return targetOf(`/proc/${pid}/ns/mnt`);
}

/**
 * Whether a process can still write tracked files through the git profile: one that runs in it, or one of the ordinary
 * profile that received an open folder or protected file from it.
 */
export function hasGitAccess(repository: ShellRepository): boolean {
  const key = repositoryKey(repository);
  if (wrappersOf('self').some((own) => own.key === key)) return false;
  return processIds().some((pid) => {
    const wrappers = wrappersOf(pid).filter((wrapper) => wrapper.key === key);
    if (wrappers.length === 0) return false;
    return wrappers.some(({ profile }) => profile === 'git') || hasForeignDescriptor(pid, repository);
  });
}

/** Whether a process in a wrapper of this data folder sees the real folder there, since its wrapper mounts nothing over it. */
export function isSeenByWrapped(folder: string, dataFolder: string): boolean {
  const covered = ` ${asMountPoint(folder)} `;
  const wrapper = ` ${asMountPoint(dataFolder)}/shell/`;
  return processIds().some((pid) => {
    const text = mountsOf(pid);
    return text.includes(wrapper) && wrappersOf(pid).length > 0 && !text.includes(covered);
  });
}

/** As mountinfo writes a path. */
function asMountPoint(path: string): string {
  return Buffer.from(path)
    .toString('latin1')
    .replace(/[ \t\n\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

const PROFILE_MOUNT = /\/shell\/([0-9a-f]{16})\/profile\/(ordinary|git)$/;

/**
 * From the mounts of a process: it cannot remove those of its sandbox, not even in a namespace of its own. A mount's root is
 * relative to its file system, so only its end is compared.
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
  return read(`/proc/${pid}/mountinfo`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // Safe: the process has ended, is another user's, or this system has no /proc.
    return '';
  }
}

const DEFINITION = /\/(?:\.guardkit|\.claude|\.husky|tasks)\//;
/** Flags of a file that is open for writing. */
const WRITING = 0o3;

/**
 * Whether a process has an open folder from another sandbox's mounts, or a protected file open for writing there. Other open
 * files are normal: a command's output goes to one.
 */
function hasForeignDescriptor(pid: number, { commonDir }: ShellRepository): boolean {
  const own = new Set(
    mountsOf(pid)
      .split('\n')
      .map((line) => line.slice(0, line.indexOf(' '))),
  );
  if (own.size <= 1) return false;
  // Safe: a process without this folder has ended.
  return namesIn(`/proc/${pid}/fd`).some((name) => {
    const info = read(`/proc/${pid}/fdinfo/${name}`);
    const mount = /^mnt_id:\s*(\d+)$/m.exec(info)?.[1];
    if (mount === undefined || own.has(mount)) return false;
    const link = `/proc/${pid}/fd/${name}`;
    const stat = statSync(link, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return true;
    const flags = Number.parseInt(/^flags:\s*(\d+)$/m.exec(info)?.[1] ?? '0', 8);
    if (!stat?.isFile() || (flags & WRITING) === 0) return false;
    const path = targetOf(link);
    return path.startsWith(`${dirname(commonDir)}/`) && DEFINITION.test(path);
  });
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // Safe: it was closed meanwhile.
    return '';
  }
}
