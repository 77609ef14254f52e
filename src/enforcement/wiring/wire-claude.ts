import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hookedEvents, withHooks, withoutHooks } from './claude-settings.ts';
import { ownHookCommand, sharedHookCommand } from './hook-command.ts';
import { isLauncherCurrent, type LauncherParts, launcherPath, writeLauncher } from './launcher.ts';
import {
  isEmpty,
  LOCAL_SETTINGS,
  requireSettingsFile,
  type SettingsFile,
  SHARED_SETTINGS,
  withHooksIn,
  writeSettingsFile,
} from './settings-file.ts';

/** A file that is to become another one, or that is right as it is. */
export interface WiringStep {
  /** As people are shown it. */
  path: string;
  /** Absolute; where a link leads, what it leads to. */
  target: string;
  action: 'create' | 'change' | 'remove' | 'keep';
  perform(): void;
}

export interface ClaudeWiring {
  root: string;
  launcher: LauncherParts;
  /** For the whole team, in the file that is committed. Left out: as it is wired already, else for this person. */
  shared?: boolean | undefined;
}

/** Everything that has to change for Claude Code to ask GuardKit. Nothing is written before all of it was read. */
export function planWiring({ root, launcher, shared }: ClaudeWiring): WiringStep[] {
  const local = requireSettingsFile(root, LOCAL_SETTINGS);
  const team = requireSettingsFile(root, SHARED_SETTINGS);
  // The program would run both: a project is wired in one of them.
  const inTeam = shared ?? hookedEvents(team.settings).length > 0;
  return [
    launcherStep(launcher),
    settingsStep(
      LOCAL_SETTINGS,
      local,
      inTeam
        ? withoutHooks(local.settings)
        : withHooks(local.settings, ownHookCommand(launcher.dataFolder, 'claude')),
    ),
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

/** Everything that has to change for it not to ask any more. The launcher serves other projects too. */
export function planUnwiring(root: string): WiringStep[] {
  return [LOCAL_SETTINGS, SHARED_SETTINGS]
    .map((name) => {
      const file = requireSettingsFile(root, name);
      return settingsStep(name, file, withoutHooks(file.settings));
    })
    .filter(isThere);
}

function launcherStep(parts: LauncherParts): WiringStep {
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

function settingsStep(path: string, file: SettingsFile, { hooks }: SettingsFile['settings']): WiringStep {
  const same = JSON.stringify(hooks) === JSON.stringify(file.settings.hooks);
  const text = same ? (file.text ?? '') : withHooksIn(file, hooks);
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
