import { existsSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { configLocations } from '../../domain/protection/config-locations.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { type GitFolder, otherCheckouts } from '../../platform/git/git-folder.ts';
import {
  type PreviousSettings,
  readPreviousSettings,
  writePreviousSettings,
} from '../shell/previous-settings.ts';
import { refreshProfiles, type ShellContext } from '../shell/refresh-profiles.ts';
import { shellFolder } from '../shell/shell-folder.ts';
import { tryShell } from '../shell/try-shell.ts';
import { isShellLauncherCurrent, shellLauncherPath, shellPrefix } from '../shell/write-launcher.ts';
import type { ClaudeSettings } from './claude-settings.ts';
import { LOCAL_SETTINGS, type OwnMembers, readSettingsFile, type WiringStep } from './settings-file.ts';

const PREFIX = 'CLAUDE_CODE_SHELL_PREFIX';

/** How to wrap an agent's commands, or why that is not possible. */
export type ShellWiring =
  | {
      ok: true;
      prefix: string;
      bashEnv: string;
      /** The person's home folder. */
      home: string;
      previous: PreviousSettings;
      steps: WiringStep[];
    }
  | { ok: false; why: string; install: string; previous?: PreviousSettings | undefined };

export interface ShellWish {
  git: GitFolder;
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  /** The person's home folder. */
  home: string;
  /** The folder with the person's own Claude Code settings. */
  claudeHome: string;
  /** Files that will start the wrapper, relative to the checkout (default: Claude Code's). */
  settings?: readonly string[];
  /** `protected:` of the configuration, and its allowances. Hooks update both. */
  globs?: readonly string[];
  allow?: ShellContext['allow'];
}

/** Tries the sandbox, and plans everything it needs besides the settings. Writes nothing. */
export async function planShell(wish: ShellWish): Promise<ShellWiring> {
  const { git, env } = wish;
  const context = shellContext(wish);
  const trial = await tryShell(context, env);
  if (!trial.ok) return { ...trial, previous: readPreviousSettings(context.dataFolder, git) };
  const target = shellLauncherPath(context.dataFolder, git);
  const current = isShellLauncherCurrent(context.dataFolder, git);
  const previous = previousSettings(wish, context.dataFolder);
  const step: WiringStep = {
    path: target,
    target,
    action: current ? 'keep' : existsSync(target) ? 'change' : 'create',
    perform: () => {
      writePreviousSettings(context.dataFolder, git, previous);
      // The settings are written next; a folder created only then would be unprotected until a hook runs.
      for (const file of wish.settings ?? [LOCAL_SETTINGS]) makeFolder(dirname(join(git.root, file)));
      // The launcher also depends on the chained prefix, which the stamps do not cover.
      rmSync(shellFolder(context.dataFolder, git).stamps, { force: true });
      refreshProfiles(context);
    },
  };
  const { bashEnv } = shellFolder(context.dataFolder, git);
  const prefix = shellPrefix(context.dataFolder, git);
  return { ok: true, prefix, bashEnv, home: wish.home, previous, steps: [step] };
}

export function shellContext({
  git,
  env,
  home,
  dataFolder,
  globs = [],
  allow = {},
}: ShellWish): ShellContext {
  return {
    checkout: realpathSync.native(git.root),
    git,
    dataFolder: realFolder(dataFolder),
    home,
    configLocations: configLocations(env, home),
    globs,
    otherCheckouts: otherCheckouts(git),
    allow,
  };
}

/** Real path of a folder that may not exist yet. */
export function realFolder(folder: string): string {
  if (existsSync(folder) || dirname(folder) === folder) return realpathSync.native(folder);
  return join(realFolder(dirname(folder)), basename(folder));
}

/** GuardKit's launcher of any repository and data folder. */
export function isOwnPrefix(prefix: unknown): boolean {
  return typeof prefix === 'string' && /\/shell\/[0-9a-f]{16}\/guardkit-shell(?: --)?$/.test(prefix);
}

/** Whether a checkout's settings wrap the commands of Claude Code. */
export function hasClaudePrefix(checkout: string, git: GitFolder, dataFolder: string): boolean {
  const prefix = settingsOf(join(checkout, LOCAL_SETTINGS)).env?.[PREFIX];
  return prefix === shellPrefix(realFolder(dataFolder), git);
}

export function hasOwnPrefix({ env }: ClaudeSettings): boolean {
  return isOwnPrefix(env?.[PREFIX]);
}

/** The settings with the prefix, and with hooks that no other file can turn off. */
export function withShell(settings: ClaudeSettings, prefix: string): OwnMembers {
  const { env, hooks, disableAllHooks = false } = settings;
  return { hooks, env: { ...env, [PREFIX]: prefix }, disableAllHooks };
}

/** Restores the previous settings if the prefix is still GuardKit's. */
export function withoutShell(settings: ClaudeSettings, previous: PreviousSettings | undefined): OwnMembers {
  const { env = {}, hooks, disableAllHooks } = settings;
  if (!hasOwnPrefix(settings)) return settings;
  const { [PREFIX]: _own, ...others } = env;
  const restored = previous?.from === 'local' ? { ...others, [PREFIX]: previous.prefix ?? '' } : others;
  return {
    hooks,
    env: Object.keys(restored).length > 0 ? restored : undefined,
    disableAllHooks: disableAllHooks === false && !previous?.hooksEnabled ? undefined : disableAllHooks,
  };
}

/** The prefix that would be in use without GuardKit's: Claude Code takes the nearest one. */
function previousSettings({ git, env, claudeHome }: ShellWish, dataFolder: string): PreviousSettings {
  const local = settingsOf(join(git.root, LOCAL_SETTINGS));
  const known = readPreviousSettings(dataFolder, git);
  const wired = hasOwnPrefix(local);
  const hooksEnabled = wired ? (known?.hooksEnabled ?? false) : local.disableAllHooks === false;
  if (wired && known?.from === 'local') return { ...known, hooksEnabled };
  const candidates = [
    ['local', wired ? undefined : local.env?.[PREFIX]],
    ['home', settingsOf(join(claudeHome, 'settings.json')).env?.[PREFIX]],
    ['environment', env[PREFIX]],
  ] as const;
  for (const [from, prefix] of candidates)
    if (typeof prefix === 'string' && !isOwnPrefix(prefix)) return { prefix, from, hooksEnabled };
  return { prefix: null, from: null, hooksEnabled };
}

function settingsOf(path: string): ClaudeSettings {
  const reading = readSettingsFile(path);
  return reading.ok ? reading.file.settings : {};
}

/** Removes the launcher's folder, unless another agent or another checkout of the repository uses it. */
export function planShellRemoval(git: GitFolder, dataFolder: string, used: boolean): WiringStep[] {
  const { path } = shellFolder(realFolder(dataFolder), git);
  if (!existsSync(path)) return [];
  return [
    {
      path,
      target: path,
      action: used ? 'keep' : 'remove',
      perform: () => {
        if (!used) rmSync(path, { recursive: true, force: true });
      },
    },
  ];
}
