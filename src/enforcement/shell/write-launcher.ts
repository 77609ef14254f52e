import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { isProgram } from '../../platform/processes/find-program.ts';
import { findBubblewrap } from '../../platform/sandbox/find-sandbox.ts';
import { ownHookCommand, sharedHookCommand } from '../install/hook-launcher.ts';
import { bashEnvText, bashText, launcherText } from './launcher-script.ts';
import { readPreviousSettings } from './previous-settings.ts';
import { type ShellRepository, shellFolder } from './shell-folder.ts';

export interface LauncherSettings {
  /** Commands that start with one of these words run outside the sandbox. */
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
 * The value of CLAUDE_CODE_SHELL_PREFIX. Claude Code takes it as the program, including spaces, but splits it at the last
 * " -"; the final " --" keeps a path that contains " -" whole.
 */
export function shellPrefix(dataFolder: string, repository: ShellRepository): string {
  const path = shellLauncherPath(dataFolder, repository);
  return path.includes(' -') ? `${path} --` : path;
}

/** Writes the launcher and the folders it needs; returns whether the launcher changed. */
export function writeShellLauncher(
  dataFolder: string,
  repository: ShellRepository,
  settings: LauncherSettings = {},
): boolean {
  const folder = shellFolder(dataFolder, repository);
  for (const path of [folder.gitCommands, folder.tmux, folder.emptyFolder]) makeFolder(path, MODE);
  for (const name of ['ordinary', 'git', 'current']) makeFolder(`${folder.marks}/${name}`, MODE);
  if (!existsSync(folder.emptyFile)) writeFileSync(folder.emptyFile, '', { mode: 0o600 });
  if (isShellLauncherCurrent(dataFolder, repository, settings)) return false;
  for (const [path, text] of launcherFiles(dataFolder, repository, settings)) {
    writeFileAtomic(path, text, MODE);
    // The umask may have removed some bits.
    chmodSync(path, MODE);
  }
  return true;
}

function launcherFiles(
  dataFolder: string,
  repository: ShellRepository,
  settings: LauncherSettings,
): [path: string, text: string][] {
  const folder = shellFolder(dataFolder, repository);
  const bash = findBash();
  return [
    [folder.launcher, textFor(dataFolder, repository, settings)],
    [folder.bashEnv, bashEnvText(folder)],
    ...(bash === undefined ? [] : [[folder.bash, bashText(folder, bash)] as [string, string]]),
  ];
}

/** Whether the launcher exists, is executable and has the current text. */
export function isShellLauncherCurrent(
  dataFolder: string,
  repository: ShellRepository,
  settings: LauncherSettings = {},
): boolean {
  try {
    return launcherFiles(dataFolder, repository, settings).every(
      ([path, text]) => (statSync(path).mode & 0o777) === MODE && readFileSync(path, 'utf8') === text,
    );
  } catch {
    // Safe: an unreadable launcher is written again.
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
    bash: findBash(),
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

function findBash(): string | undefined {
  return firstProgram(['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash']);
}

function firstProgram(paths: readonly string[]): string | undefined {
  return paths.find(isProgram);
}

type ShellTier = { tier: 'kernel' } | { tier: 'none'; why: string };

/**
 * Whether the commands of the agent that started this hook are wrapped. Hooks get the environment that Claude Code takes the
 * prefix from, so the variable is the prefix in use, whichever settings file it comes from. If the wrapper is broken, the
 * launcher refuses commands instead of running them unwrapped.
 */
export function shellTier(
  env: NodeJS.ProcessEnv,
  dataFolder: string,
  repository: ShellRepository,
): ShellTier {
  const none = (why: string): ShellTier => ({ tier: 'none', why });
  const prefix = env.CLAUDE_CODE_SHELL_PREFIX;
  if (!prefix) return none('CLAUDE_CODE_SHELL_PREFIX is not set');
  if (prefix !== shellPrefix(dataFolder, repository))
    return none(`CLAUDE_CODE_SHELL_PREFIX is another program (${prefix.slice(0, 200)})`);
  const { launcher, profiles } = shellFolder(dataFolder, repository);
  if (!isProgram(launcher)) return none(`the launcher is missing (${launcher})`);
  if (!existsSync(profiles.ordinary))
    return none(`the list of protected paths is missing (${profiles.ordinary})`);
  if (process.platform === 'linux' && findBubblewrap(env.PATH) === undefined)
    return none('bubblewrap is not installed');
  return { tier: 'kernel' };
}
