import { readFileSync } from 'node:fs';
import { type BytePath, bytesOf, toBytePath } from './byte-path.ts';
import type { Mount, ShellFacts } from './plan-mounts.ts';
import type { ShellFolder, ShellProfile } from './shell-folder.ts';

/**
 * Capabilities that let root bypass the mounts: mounting, tracing, file handles, devices. Other users have none of them
 * inside.
 */
const DROPPED = [
  ...['CAP_SYS_ADMIN', 'CAP_SYS_PTRACE', 'CAP_DAC_READ_SEARCH'],
  ...['CAP_SYS_MODULE', 'CAP_SYS_RAWIO', 'CAP_MKNOD'],
];

/** The arguments that bwrap reads through `--args`. A path that has disappeared is skipped, not created. */
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
    // They would point the agent's own tmux to the person's server, which it cannot reach.
    ...(hidesTmux ? ['--unsetenv', 'TMUX', '--unsetenv', 'TMUX_PANE'] : []),
    ...(root ? DROPPED.flatMap((name) => ['--cap-drop', name]) : []),
  ];
  return bytesOf(words.map((word) => `${word}\0`).join(''));
}

/**
 * The same plan as a sandbox-exec profile for macOS. The last matching rule decides, so a writable folder inside a read-only
 * one comes after it. Not tested on a Mac.
 */
export function sandboxProfile(mounts: readonly Mount[], { pinned }: Pick<ShellFacts, 'pinned'>): Buffer {
  const rules = mounts.map(({ source, target, writable }) => {
    if (source !== target) return `(deny network-outbound (subpath ${literal(target)}))`;
    return `(${writable ? 'allow' : 'deny'} file-write* (subpath ${literal(target)}))`;
  });
  const pins = pinned.map((path) => `(deny file-write-unlink (literal ${literal(path)}))`);
  return bytesOf(['(version 1)', '(allow default)', ...rules, ...pins, ''].join('\n'));
}

function literal(path: BytePath): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Whether a profile makes a path read-only. A path that did not exist when the file was written has no mount. */
export function readOnlyPaths(list: string): (absolute: string) => boolean {
  const mounts = readMounts(list);
  return (absolute) => {
    const path = toBytePath(absolute);
    // The last mount that covers a path decides.
    const over = mounts.findLast(({ target }) => path === target || path.startsWith(`${target}/`));
    return over?.readOnly === true;
  };
}

function readMounts(file: string): { target: string; readOnly: boolean }[] {
  let words: string[];
  try {
    words = readFileSync(file, 'latin1').split('\0');
  } catch {
    // Safe: without the file nothing counts as protected, so changes are judged.
    return [];
  }
  return words.flatMap((word, at) => {
    const [source, target] = words.slice(at + 1, at + 3);
    // What is shown in place of a path may be writable; the path itself is not.
    return /^--(?:ro-)?bind-try$/.test(word) && target !== undefined
      ? [{ target, readOnly: word === '--ro-bind-try' || source !== target }]
      : [];
  });
}
