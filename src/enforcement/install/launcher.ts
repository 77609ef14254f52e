import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';

/** What a hook is started through: a small script in the data folder, which no project and no agent decides about. */
export interface LauncherContext {
  /** Absolute path of the Node that runs GuardKit. */
  node: string;
  /** Absolute path of the program that answers hooks. */
  program: string;
  dataFolder: string;
}

/** These make Node load other code. */
export const LEFT_OUT_VARIABLES =
  'NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_EXTRA_CA_CERTS NODE_V8_COVERAGE NODE_CHANNEL_FD LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH';

export function launcherPath(dataFolder: string): string {
  return join(dataFolder, 'bin', 'guardkit-hook');
}

/**
 * Whatever goes wrong (Node is gone, its version cannot load the program, the program crashes or is killed) ends in exit
 * code 2, which every agent takes as a refusal; but not where a person speaks, who is never refused, and who sees what a
 * hook answers but not what it writes to its errors. Variables that make Node load other code are taken away first.
 */
export function launcherText({ node, program, dataFolder }: LauncherContext): string {
  return `#!/bin/sh
# Written by guardkit init. Answers the hooks of a coding agent; guardkit uninstall removes it.
unset ${LEFT_OUT_VARIABLES}
never=$2
GUARDKIT_HOME=${quote(dataFolder)}
export GUARDKIT_HOME
refuse() {
  help="In a terminal of your own, guardkit doctor says what is broken, and guardkit doctor --fix mends it."
  if [ "$never" = --never-refuse ]; then
    echo "{\\"systemMessage\\":\\"GuardKit does not work: $1 $help\\"}"
    exit 0
  fi
  echo "GuardKit could not judge this, so it is refused: $1" >&2
  echo "$help" >&2
  exit 2
}
[ -x ${quote(node)} ] || refuse "the Node it was installed with is gone (${shown(node)})."
[ -r ${quote(program)} ] || refuse "its program is gone (${shown(program)})."
${quote(node)} ${quote(program)} "$@"
code=$?
case $code in
  0) exit 0 ;;
  2) [ "$never" = --never-refuse ] || exit 2 ;;
esac
refuse "its program ended with code $code."
`;
}

/** Writes the launcher, and says whether it was another one before. */
export function writeLauncher(parts: LauncherContext): boolean {
  if (isLauncherCurrent(parts)) return false;
  const path = launcherPath(parts.dataFolder);
  makeFolder(join(parts.dataFolder, 'bin'), 0o700);
  writeFileAtomic(path, launcherText(parts), MODE);
  // Whatever the umask took away.
  chmodSync(path, MODE);
  return true;
}

const MODE = 0o700;

/** Whether the launcher is there, can be run, and says what it would be written to say now. */
export function isLauncherCurrent(parts: LauncherContext): boolean {
  const path = launcherPath(parts.dataFolder);
  try {
    return (statSync(path).mode & 0o777) === MODE && readFileSync(path, 'utf8') === launcherText(parts);
  } catch {
    // Safe: what cannot be read is written anew.
    return false;
  }
}

/** One word of a shell, whatever is in it. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** For a message inside double quotes, of a shell and of JSON. */
function shown(text: string): string {
  return text.replace(/["$`\\\p{Cc}]/gu, '?');
}
