import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { findBubblewrap } from '../../platform/sandbox/find-sandbox.ts';
import { isProgram } from '../../platform/sandbox/is-program.ts';
import { ownHookCommand, sharedHookCommand } from '../install/hook-command.ts';
import { launcherText } from './launcher-text.ts';
import { readPreviousSettings } from './previous-settings.ts';
import { type ShellRepository, shellFolder } from './shell-folder.ts';

export interface LauncherSettings {
  /** Commands that begin with one of these words run outside the sandbox. */
  outside?: readonly string[];
  /** The person's own names for git commands that change the work tree. */
  aliases?: readonly string[];
}

const MODE = 0o700;

/** The file that CLAUDE_CODE_SHELL_PREFIX names. */
export function shellLauncherPath(dataFolder: string, repository: ShellRepository): string {
  return shellFolder(dataFolder, repository).launcher;
}

/**
 * The value of CLAUDE_CODE_SHELL_PREFIX. Claude Code takes all of it for the program, with spaces, but splits it at the last
 * " -"; a word of our own at the end keeps a path with " -" in it whole.
 */
export function shellPrefix(dataFolder: string, repository: ShellRepository): string {
  const path = shellLauncherPath(dataFolder, repository);
  return path.includes(' -') ? `${path} --` : path;
}

/** Writes the launcher and the folders it needs; tells whether anything was different before. */
export function writeShellLauncher(
  dataFolder: string,
  repository: ShellRepository,
  settings: LauncherSettings = {},
): boolean {
  const folder = shellFolder(dataFolder, repository);
  for (const path of [folder.gitCommands, folder.tmux, folder.emptyFolder])
    mkdirSync(path, { recursive: true, mode: MODE });
  for (const name of ['ordinary', 'git', 'current'])
    mkdirSync(`${folder.marks}/${name}`, { recursive: true, mode: MODE });
  if (!existsSync(folder.emptyFile)) writeFileSync(folder.emptyFile, '', { mode: 0o600 });
  if (isShellLauncherCurrent(dataFolder, repository, settings)) return false;
  writeFileAtomic(folder.launcher, textFor(dataFolder, repository, settings), MODE);
  // The umask may have removed some bits.
  chmodSync(folder.launcher, MODE);
  return true;
}

/** Whether the launcher exists, can be run and has the text that it would get now. */
export function isShellLauncherCurrent(
  dataFolder: string,
  repository: ShellRepository,
  settings: LauncherSettings = {},
): boolean {
  const { launcher } = shellFolder(dataFolder, repository);
  try {
    return (
      (statSync(launcher).mode & 0o777) === MODE &&
      readFileSync(launcher, 'utf8') === textFor(dataFolder, repository, settings)
    );
  } catch {
    // Safe: a launcher that cannot be read is written again.
    return false;
  }
}

function textFor(
  dataFolder: string,
  repository: ShellRepository,
  { outside = [], aliases = [] }: LauncherSettings,
): string {
  return launcherText({
    folder: shellFolder(dataFolder, repository),
    platform: process.platform,
    bwrap: findBubblewrap(process.env.PATH),
    bash: firstProgram(['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash']),
    zsh: firstProgram(['/bin/zsh', '/usr/bin/zsh', '/usr/local/bin/zsh']),
    chain: readPreviousSettings(dataFolder, repository)?.prefix || undefined,
    hooks: [
      ...Object.values(ownHookCommand(dataFolder, 'claude')),
      ...Object.values(sharedHookCommand('claude')),
    ],
    outside,
    aliases,
  });
}

function firstProgram(paths: readonly string[]): string | undefined {
  return paths.find(isProgram);
}
