import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFolder } from '../../platform/files/make-folder.ts';
import { isInside } from '../../platform/files/path-inside.ts';
import type { ToolchainRecord } from './toolchain-record.ts';

/** Program folders of administrators and the system's package manager. */
export const SYSTEM_FOLDERS = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/usr/local/go/bin',
  '/usr/lib/go/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '/run/current-system/sw/bin',
  '/nix/var/nix/profiles/default/bin',
  '/snap/bin',
];

/** Program folders below a home folder that people install for themselves. */
const OWN_PROGRAM_FOLDERS = ['.cargo/bin', '.local/bin', 'go/bin', '.bun/bin', '.deno/bin'];

/** The real folders behind ~/.local/bin. */
const BEHIND_LOCAL_BIN = [
  '.local/pipx/venvs',
  '.local/share/pipx/venvs',
  '.local/share/uv/tools',
  '.local/share/uv/python',
  '.local/share/pypoetry',
];

export interface PinnedPath {
  folders: string[];
  /** Toolchain folders in a home folder that a command must be able to read. */
  readable: string[];
  env: Record<string, string>;
}

/**
 * The PATH of all commands in a workspace. It never comes from the environment, where a program can be put before the
 * real one: it consists of the toolchains that a person recorded, or else of the system's folders first, as in a clean
 * login. Without a record, version managers such as pyenv are not used, since nothing shows that a person uses one.
 */
export function pinnedPath(record: ToolchainRecord | undefined, home: string | undefined): PinnedPath {
  const own = dirname(realpathSync(process.execPath));
  const folders = unique([
    ...(record?.folders ?? []),
    // A node in a system folder is found there; putting its folder first would put all system programs before the
    // recorded ones.
    ...(record || SYSTEM_FOLDERS.includes(own) ? [] : [own]),
    ...SYSTEM_FOLDERS,
    ...(record ? [own] : []),
    ...(record || home === undefined ? [] : ownFolders(home)),
  ]).filter(isFolder);
  const inHome = home === undefined ? [] : folders.filter((folder) => isInside(folder, home));
  const readable = home === undefined ? [] : inHome.flatMap((folder) => toolchainOf(folder, home));
  const rustup = home === undefined ? undefined : join(home, '.rustup');
  const env: Record<string, string> = { ...record?.env };
  if (rustup && isFolder(rustup) && env.RUSTUP_HOME === undefined) env.RUSTUP_HOME = rustup;
  if (env.RUSTUP_HOME !== undefined) readable.push(env.RUSTUP_HOME);
  return { folders, readable: unique([...readable, ...(record?.readable ?? [])]).filter(isFolder), env };
}

/** After the system's folders, whose programs they must not replace. */
function ownFolders(home: string): string[] {
  const toolchain = /^default_toolchain = "([\w.-]+)"$/m.exec(
    readText(join(home, '.rustup/settings.toml')),
  )?.[1];
  return [
    ...(toolchain === undefined ? [] : [join(home, '.rustup/toolchains', toolchain, 'bin')]),
    ...goSdks(home),
    ...OWN_PROGRAM_FOLDERS.map((folder) => join(home, folder)),
  ];
}

function goSdks(home: string): string[] {
  try {
    const names = readdirSync(join(home, 'sdk')).filter((name) => /^go[\d.]+$/.test(name));
    return names
      .sort((a, b) => b.localeCompare(a, undefined, { numeric: true }))
      .slice(0, 1)
      .map((name) => join(home, 'sdk', name, 'bin'));
  } catch {
    // Safe: most people have none.
    return [];
  }
}

/** The installation around a program folder, but never a home folder or its settings. */
function toolchainOf(folder: string, home: string): string[] {
  const relative = folder.slice(home.length + 1);
  if (relative === '.local/bin') return [folder, ...BEHIND_LOCAL_BIN.map((path) => join(home, path))];
  const around = dirname(folder);
  const isInstallation =
    /\/s?bin$/.test(folder) && around !== home && !OWN_PROGRAM_FOLDERS.includes(relative);
  return [isInstallation ? around : folder];
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Safe: without the file there is no default toolchain.
    return '';
  }
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
