import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type GitFolder, mainCheckout } from '../../platform/git/git-folder.ts';
import { readPreviousSettings } from '../shell/previous-settings.ts';
import { hookedEvents, withHooks, withoutHooks } from './claude-settings.ts';
import {
  isLauncherCurrent,
  type LauncherContext,
  launcherPath,
  ownHookProgram,
  sharedHookCommand,
  writeLauncher,
} from './hook-launcher.ts';
import {
  hasSameMembers,
  isEmpty,
  LOCAL_SETTINGS,
  type OwnMembers,
  readSettingsFile,
  requireSettingsFile,
  type SettingsFile,
  SHARED_SETTINGS,
  type WiringStep,
  withMembersIn,
  writeSettingsFile,
} from './settings-file.ts';
import {
  hasClaudePrefix,
  hasOwnPrefix,
  realFolder,
  type ShellWiring,
  withoutShell,
  withShell,
} from './wire-shell.ts';

export type { WiringStep } from './settings-file.ts';

export interface ClaudeWiring {
  root: string;
  launcher: LauncherContext;
  /** For the team, in the committed file (default: as installed, else for this person). */
  shared?: boolean | undefined;
  /** Default: an existing prefix stays. */
  shell?: ShellWiring | undefined;
}

/**
 * All changes needed for Claude Code's hooks. Everything is read before anything is written. The prefix goes into the
 * person's own file, together with hooks that it does not wrap: in the team's file it would break the commands of everyone
 * without this launcher. With a prefix, the team's hooks would run inside the sandbox, since they use a shell; the launcher
 * skips them, and the person's own hooks answer.
 */
export function planWiring({ root, launcher, shared, shell }: ClaudeWiring): WiringStep[] {
  const local = requireSettingsFile(root, LOCAL_SETTINGS);
  const team = requireSettingsFile(root, SHARED_SETTINGS);
  const inTeam = shared ?? hookedEvents(team.settings).length > 0;
  const wrapped = shell ? shell.ok : hasOwnPrefix(local.settings);
  const bare = shell && !shell.ok ? withoutShell(local.settings, shell.previous) : local.settings;
  const hooked =
    inTeam && !wrapped ? withoutHooks(bare) : withHooks(bare, ownHookProgram(launcher.dataFolder, 'claude'));
  return [
    launcherStep(launcher),
    ...(shell?.ok ? shell.steps : []),
    settingsStep(LOCAL_SETTINGS, local, shell?.ok ? withShell(hooked, shell.prefix) : hooked),
    settingsStep(
      SHARED_SETTINGS,
      team,
      inTeam ? withHooks(team.settings, sharedHookCommand('claude')) : withoutHooks(team.settings),
    ),
  ].filter(isThere);
}

export function isThere({ action, target }: WiringStep): boolean {
  return action !== 'keep' || existsSync(target);
}

/** All changes that remove the hooks. The launcher stays, since other projects use it. */
export function planUnwiring(root: string, shell?: { git: GitFolder; dataFolder: string }): WiringStep[] {
  const previous = shell && readPreviousSettings(realFolder(shell.dataFolder), shell.git);
  const settings = [LOCAL_SETTINGS, SHARED_SETTINGS].map((name) => {
    const file = requireSettingsFile(root, name);
    const bare = withoutHooks(file.settings);
    return settingsStep(name, file, name === LOCAL_SETTINGS ? withoutShell(bare, previous) : bare);
  });
  return settings.filter(isThere);
}

export function launcherStep(parts: LauncherContext): WiringStep {
  const target = launcherPath(parts.dataFolder);
  return {
    path: target,
    target,
    action: isLauncherCurrent(parts) ? 'keep' : existsSync(target) ? 'change' : 'create',
    perform: () => {
      writeLauncher(parts);
    },
  };
}

export function settingsStep(path: string, file: SettingsFile, members: OwnMembers): WiringStep {
  const same = hasSameMembers(members, file.settings);
  const text = same ? (file.text ?? '') : withMembersIn(file, members);
  const action = same ? 'keep' : isEmpty(text) ? 'remove' : file.text === undefined ? 'create' : 'change';
  return {
    path,
    target: file.real,
    action,
    perform: () => {
      if (!same) writeSettingsFile(file, text);
    },
  };
}

/** The folder with the person's own Claude Code settings. */
export function claudeHome(env: NodeJS.ProcessEnv, home: string): string {
  return env.CLAUDE_CONFIG_DIR || join(home, '.claude');
}

/** Folders with a person's settings for sessions in a checkout: in a linked one, Claude Code also reads those of the main one. */
export function ownSettingsFolders(git: GitFolder): string[] {
  return [...new Set([git.root, mainCheckout(git) ?? git.root])];
}

/** Whether Claude Code's sessions in a checkout have the hooks. */
export function claudeIsGuarded(git: GitFolder): boolean {
  const own = ownSettingsFolders(git).map((folder) => readSettingsFile(join(folder, LOCAL_SETTINGS)));
  const readings = [...own, readSettingsFile(join(git.root, SHARED_SETTINGS))];
  return readings.some((reading) => reading.ok && hookedEvents(reading.file.settings).length > 0);
}

/** Whether Claude Code's commands in a checkout run in the shell wrapper. */
export function claudeIsWrapped(git: GitFolder, dataFolder: string): boolean {
  return ownSettingsFolders(git).some((folder) => hasClaudePrefix(folder, git, dataFolder));
}

export function claudeWiringOf(checkout: string): boolean | 'unknown' {
  const readings = [LOCAL_SETTINGS, SHARED_SETTINGS].map((name) => readSettingsFile(join(checkout, name)));
  if (readings.some((reading) => reading.ok && hookedEvents(reading.file.settings).length > 0)) return true;
  return readings.every(({ ok }) => ok) ? false : 'unknown';
}
