import { bytesOf, toBytePath } from './byte-path.ts';
import type { Mount } from './plan-mounts.ts';
import type { ShellFolder, ShellProfile } from './shell-folder.ts';

/**
 * Capabilities with which root gets past the mounts: by mounting, by tracing, by file handles, by devices. Another user has
 * none of them inside.
 */
const DROPPED = [
  ...['CAP_SYS_ADMIN', 'CAP_SYS_PTRACE', 'CAP_DAC_READ_SEARCH'],
  ...['CAP_SYS_MODULE', 'CAP_SYS_RAWIO', 'CAP_MKNOD'],
];

/** What bwrap reads through `--args`. A path that has gone meanwhile is skipped: nothing is created in its place. */
export function bwrapArguments(
  mounts: readonly Mount[],
  profile: ShellProfile,
  { marks }: ShellFolder,
  { root, hidesTmux }: { root: boolean; hidesTmux: boolean },
): Buffer {
  const words = [
    ...['--dev-bind', '/', '/'],
    ...mounts.flatMap(({ source, target, writable }) => [
      writable ? '--bind-try' : '--ro-bind-try',
      source,
      target,
    ]),
    ...['--ro-bind', toBytePath(`${marks}/${profile}`), toBytePath(`${marks}/current`)],
    // They would lead an agent's own tmux to the person's server, which it cannot reach.
    ...(hidesTmux ? ['--unsetenv', 'TMUX', '--unsetenv', 'TMUX_PANE'] : []),
    ...(root ? DROPPED.flatMap((name) => ['--cap-drop', name]) : []),
  ];
  return bytesOf(words.map((word) => `${word}\0`).join(''));
}
