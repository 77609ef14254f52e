import { type BytePath, toBytePath } from './byte-path.ts';
import type { Cover } from './plan-mounts.ts';
import type { ShellFolder } from './shell-folder.ts';
import type { StampedReads } from './stamped-reads.ts';

/** Ways out of the sandbox that the person allows. */
export interface ShellAllowances {
  tmux?: boolean;
  /** screen and zellij. */
  screen?: boolean;
  /** The systemd of the user, and the session bus through which it can be reached. */
  systemd?: boolean;
  /** Commands that begin with one of these words run unwrapped, such as `sudo`. */
  outside?: readonly string[];
}

/** Servers that would run a command outside the sandbox: their sockets are covered by something empty. */
export function hiddenSockets(
  reads: StampedReads,
  { tmux, emptyFolder, emptyFile }: ShellFolder,
  { home, uid, allow }: { home: BytePath; uid: number; allow: ShellAllowances },
): Cover[] {
  const runtime = `/run/user/${uid}`;
  const covers: Cover[] = [];
  const cover = (path: BytePath, folder: string, file: string, writable = false) => {
    const found = reads.resolve(path);
    if (found?.kind === 'folder') covers.push({ source: toBytePath(folder), target: found.path, writable });
    else if (found?.kind === 'other')
      covers.push({ source: toBytePath(file), target: found.path, writable: false });
  };
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
      // Root may ask the system's own.
      ...(uid === 0 ? ['/run/systemd/private', '/run/dbus/system_bus_socket'] : []),
    ])
      cover(path, emptyFolder, emptyFile);
  return covers;
}
