import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { readPreviousSettings } from '../shell/previous-settings.ts';
import { hookedEvents, withHooks, withoutHooks } from './claude-settings.ts';
import { ownHookProgram, sharedHookCommand } from './hook-command.ts';
import { isLauncherCurrent, type LauncherContext, launcherPath, writeLauncher } from './launcher.ts';
import {
  hasSameMembers,
  isEmpty,
  LOCAL_SETTINGS,
  type OwnMembers,
  requireSettingsFile,
  type SettingsFile,
  SHARED_SETTINGS,
  withMembersIn,
  writeSettingsFile,
} from './settings-file.ts';
import {
  hasOwnPrefix,
  planShellRemoval,
  realFolder,
  type ShellWiring,
  withoutShell,
  withShell,
} from './wire-shell.ts';
import type { WiringStep } from './wiring-step.ts';

export type { WiringStep } from './wiring-step.ts';

export interface ClaudeWiring {
  root: string;
  launcher: LauncherContext;
  /** For the whole team, in the file that is committed. Left out: as it is wired already, else for this person. */
  shared?: boolean | undefined;
  /** Left out: a prefix that is there stays. */
  shell?: ShellWiring | undefined;
}

/**
 * Everything that has to change for Claude Code to ask GuardKit. Nothing is written before all of it was read. The prefix
 * and hooks that it does not wrap are written together, to the person's own file: in the team's file a prefix would break
 * the commands of everybody without this launcher. Next to a prefix the team's hooks, which run through a shell, would run
 * inside the sandbox; the launcher ends them, since the person's own hooks answer.
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

/** What is not there and is not made is nothing to tell of. */
function isThere({ action, target }: WiringStep): boolean {
  return action !== 'keep' || existsSync(target);
}

/** Everything that has to change for it not to ask any more. The hooks' launcher serves other projects too. */
export function planUnwiring(root: string, shell?: { git: GitFolder; dataFolder: string }): WiringStep[] {
  const previous = shell && readPreviousSettings(realFolder(shell.dataFolder), shell.git);
  const settings = [LOCAL_SETTINGS, SHARED_SETTINGS].map((name) => {
    const file = requireSettingsFile(root, name);
    const bare = withoutHooks(file.settings);
    return settingsStep(name, file, name === LOCAL_SETTINGS ? withoutShell(bare, previous) : bare);
  });
  return [...settings, ...(shell ? planShellRemoval(shell.git, shell.dataFolder) : [])].filter(isThere);
}

function launcherStep(parts: LauncherContext): WiringStep {
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

function settingsStep(path: string, file: SettingsFile, members: OwnMembers): WiringStep {
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

/** Where a person's own settings of Claude Code lie. */
export function claudeHome(env: NodeJS.ProcessEnv, home: string): string {
  return env.CLAUDE_CONFIG_DIR || join(home, '.claude');
}
