import { depth, foldersAbove, isInside } from '../files/path-inside.ts';
import { resolvePath } from './resolve-path.ts';
import type { Access, SandboxEntry, SandboxPolicy } from './sandbox-policy.ts';

/** Facts about the system that the arguments depend on. */
export interface SandboxSystem {
  /** The folders of `PRIVATE_FOLDERS` that exist and are not links. */
  privateFolders: readonly string[];
  /** Paths in private folders that programs still need to read, resolved. */
  kept: readonly SandboxEntry[];
}

export interface SandboxCommand {
  entries: readonly SandboxEntry[];
  system: SandboxSystem;
  network: SandboxPolicy['network'];
  cwd: string;
}

/** Scratch folders, and folders with sockets of system services: a read-only mount does not prevent connecting. */
export const PRIVATE_FOLDERS = ['/tmp', '/var/tmp', '/run'] as const;

interface Mount {
  path: string;
  type: Access | 'private' | 'dev' | 'proc';
  folder: boolean;
  source?: string | undefined;
  overlay?: string | undefined;
}

const STRICTNESS: Record<Mount['type'], number> = {
  dev: 0,
  proc: 0,
  private: 1,
  writable: 2,
  disposable: 3,
  'read-only': 4,
  hidden: 5,
};

const ISOLATION = [
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--new-session',
  // Root keeps uid 0, which files and tools expect, but loses all capabilities.
  '--cap-drop',
  'ALL',
];

/** Bubblewrap's arguments, before the command. */
export function sandboxArguments({ entries, system, network, cwd }: SandboxCommand): string[] {
  const mounts = orderMounts([
    { path: '/', type: 'read-only', folder: true },
    { path: '/dev', type: 'dev', folder: true },
    { path: '/dev/shm', type: 'private', folder: true },
    { path: '/proc', type: 'proc', folder: true },
    // Writable with uid 0: one file names the program that the machine runs on a crash.
    { path: '/proc/sys', type: 'read-only', folder: true },
    ...system.privateFolders.map((path) => ({ path, type: 'private' as const, folder: true })),
    ...system.kept.map(toMount),
    ...entries.map(toMount),
  ]);
  return [
    ...ISOLATION,
    ...(network === 'loopback' ? ['--unshare-net'] : []),
    ...mounts.flatMap(mountArguments),
    // Last, because mount points inside had to be created first.
    ...mounts
      .filter(({ type, folder }) => type === 'hidden' && folder)
      .flatMap(({ path }) => ['--remount-ro', path]),
    '--chdir',
    cwd,
  ];
}

/** Outermost first, so that deeper mounts cover shallower ones, with the mounts that keep each in place. */
function orderMounts(given: readonly Mount[]): Mount[] {
  const byPath = new Map<string, Mount>();
  for (const mount of given) {
    const other = byPath.get(mount.path);
    if (!other || STRICTNESS[mount.type] > STRICTNESS[other.type]) byPath.set(mount.path, mount);
  }
  for (const { path, type } of [...byPath.values()])
    if (type === 'disposable' || type === 'read-only' || type === 'hidden')
      for (const folder of movableFoldersAbove(path, byPath))
        byPath.set(folder, { path: folder, type: 'writable', folder: true });
  return [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
}

/**
 * The writable folders above a protected path. Renaming one would move the protected file away and make room for another; a
 * mount point cannot be renamed.
 */
function movableFoldersAbove(path: string, byPath: ReadonlyMap<string, Mount>): string[] {
  let around: Mount['type'] | undefined;
  return foldersAbove(path).filter((folder) => {
    around = byPath.get(folder)?.type ?? around;
    return around === 'writable' && !byPath.has(folder);
  });
}

function mountArguments({ path, type, folder, source = path, overlay }: Mount): string[] {
  switch (type) {
    case 'dev':
      return ['--dev', path];
    case 'proc':
      return ['--proc', path];
    case 'private':
      return ['--perms', '1777', '--tmpfs', path];
    case 'writable':
      return ['--bind', path, path];
    case 'disposable':
      return overlay === undefined ? ['--bind', source, path] : overlayArguments(path, overlay);
    case 'read-only':
      return ['--ro-bind', path, path];
    case 'hidden':
      // A device on a nodev mount: nobody can open it.
      return folder ? ['--perms', '0555', '--tmpfs', path] : ['--ro-bind', '/dev/null', path];
  }
}

/** Arguments for an overlay, in bubblewrap versions that support it. */
export function overlayArguments(path: string, writes: string): string[] {
  return ['--overlay-src', path, '--overlay', `${writes}/upper`, `${writes}/work`, path];
}

function toMount({ access, ...entry }: SandboxEntry): Mount {
  return { ...entry, type: access };
}

/** Folders that are fixed in the sandbox; a policy cannot change them. */
export function isReserved(path: string): boolean {
  return path === '/' || ['/dev', '/proc', '/sys'].some((folder) => isInside(path, folder));
}

/** In the private /run: resolv.conf is often a link there, and on NixOS all programs are. */
const KEPT = ['/etc/resolv.conf', '/run/current-system', '/run/booted-system', '/run/opengl-driver'];

export function readSystem(): SandboxSystem {
  const privateFolders = PRIVATE_FOLDERS.filter((folder) => {
    const { path, stats } = resolvePath(folder);
    return path === folder && stats?.isDirectory();
  });
  const kept = KEPT.map((path) => resolvePath(path))
    .filter(({ path, stats }) => stats && privateFolders.some((folder) => isInside(path, folder)))
    .map(({ path, stats }) => ({
      path,
      access: 'read-only' as const,
      folder: stats?.isDirectory() === true,
    }));
  return { privateFolders, kept };
}
