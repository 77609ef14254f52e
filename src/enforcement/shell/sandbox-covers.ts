import { basename, dirname, join } from 'node:path';
import { fitsGlob } from '../../domain/protection/fits-glob.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { keysFolder } from '../../platform/signing/machine-key.ts';
import { hooksFolder } from '../install/hook-client.ts';
import { type BytePath, toBytePath } from './byte-path.ts';
import type { Cover } from './plan-mounts.ts';
import type { ShellFolder } from './shell-folder.ts';
import type { StampedReads } from './stamped-reads.ts';

/** Exits from the sandbox that the person allows. */
export interface ShellAllowances {
  tmux?: boolean;
  /** screen and zellij. */
  screen?: boolean;
  /** The user's systemd, and the session bus that leads to it. */
  systemd?: boolean;
  /** Commands that start with one of these words run unwrapped, such as `sudo`. */
  outside?: readonly string[];
}

/** Covers the sockets of servers that would run a command outside the sandbox. */
export function hiddenSockets(
  reads: StampedReads,
  { tmux, emptyFolder, emptyFile }: ShellFolder,
  {
    home,
    uid,
    allow,
    dataFolder,
  }: { home: BytePath; uid: number; allow: ShellAllowances; dataFolder: string },
): Cover[] {
  const runtime = `/run/user/${uid}`;
  const covers: Cover[] = [];
  const cover = (path: BytePath, folder: string, file: string, writable = false) => {
    const found = reads.resolve(path);
    if (found?.kind === 'folder') covers.push({ source: toBytePath(folder), target: found.path, writable });
    else if (found?.kind === 'other')
      covers.push({ source: toBytePath(file), target: found.path, writable: false });
  };
  // Hook events come from outside the sandbox only.
  cover(toBytePath(hooksFolder(dataFolder)), emptyFolder, emptyFile);
  // A signature of this machine must not be an agent's.
  cover(toBytePath(keysFolder(dataFolder)), emptyFolder, emptyFile);
  // An agent's own server keeps its socket from one command to the next.
  if (!allow.tmux) cover(`/tmp/tmux-${uid}`, tmux, emptyFile, true);
  if (!allow.screen)
    for (const path of [
      ...['/run/screen', '/run/screens', '/tmp/screens', `${home}/.screen`],
      ...[`${runtime}/zellij`, `/tmp/zellij-${uid}`],
    ])
      cover(path, emptyFolder, emptyFile);
  if (!allow.systemd)
    for (const path of [
      ...[`${runtime}/systemd`, `${runtime}/bus`],
      // Root can also use the system's own.
      ...(uid === 0 ? ['/run/systemd/private', '/run/dbus/system_bus_socket'] : []),
    ])
      cover(path, emptyFolder, emptyFile);
  return covers;
}

const SYSTEM_CONFIG = '/etc/ssh/ssh_config';
const MAX_FILES = 50;

/**
 * ssh rejects configuration files that belong to neither root nor the user, and in a user namespace root's files belong to
 * nobody. So copies owned by the user cover the files that the system's configuration includes.
 */
export function sshCopies(reads: StampedReads, folder: string): Cover[] {
  const covers = new Map<string, Cover>();
  const visit = (file: string) => {
    for (const included of includedFiles(reads, reads.text(toBytePath(file)) ?? '')) {
      const target = reads.resolve(toBytePath(included));
      if (target?.kind !== 'file' || covers.has(target.path) || covers.size >= MAX_FILES) continue;
      const text = reads.text(target.path);
      if (text === undefined) continue;
      const copy = join(folder, String(covers.size));
      makeFolder(folder, 0o700);
      writeFileAtomic(copy, text, 0o600, { lasting: false });
      covers.set(target.path, { source: toBytePath(copy), target: target.path, writable: false });
      visit(included);
    }
  };
  visit(SYSTEM_CONFIG);
  return [...covers.values()];
}

/** The absolute paths in `Include` lines; the last part may have wildcards. */
function includedFiles(reads: StampedReads, text: string): string[] {
  const words = [...text.matchAll(/^[ \t]*include[ \t=]+(.+)$/gim)].flatMap(([, rest = '']) =>
    rest.replaceAll('"', '').trim().split(/\s+/),
  );
  return words.flatMap((word) => {
    if (word.startsWith('~') || word === '') return [];
    const path = word.startsWith('/') ? word : `/etc/ssh/${word}`;
    const [folder, name] = [dirname(path), basename(path)];
    if (!/[*?]/.test(name)) return [path];
    const real = reads.resolve(toBytePath(folder));
    return reads
      .entries(real?.path ?? toBytePath(folder))
      .map((entry) => entry.name)
      .filter((entry) => fitsGlob(entry, name))
      .map((entry) => `${folder}/${entry}`);
  });
}
