import { join } from 'node:path';
import { codexCanBeStopped } from '../agents/codex.ts';
import {
  type ClaudeSettings,
  type HookHandler,
  hookedEvents,
  STOP_EVENTS,
  STOP_TIMEOUT,
  withoutHooks,
} from './claude-settings.ts';
import {
  type LauncherContext,
  sharedTimedHookCommand,
  type TimedHookCommand,
  timedHookCommand,
} from './hook-launcher.ts';
import { readSettingsFile, requireSettingsFile, type WiringStep } from './settings-file.ts';
import { isThere, launcherStep, settingsStep } from './wire-claude.ts';

/**
 * Codex reads a project's hooks from this file once the person has trusted the folder and the hooks. Not from the person's
 * own folder: those hooks would run in every project, also where GuardKit is not set up.
 */
export const CODEX_HOOKS = '.codex/hooks.json';

/** The events that GuardKit handles. */
export const CODEX_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'SessionEnd',
] as const;

/** Seconds. Above the deadline in the command. */
const TIMEOUT = 60;
/** The most that Codex allows there. */
const SESSION_END_TIMEOUT = 3;

export interface CodexWiring {
  root: string;
  launcher: LauncherContext;
  /** For the team (default: as installed, else for this person). */
  shared?: boolean | undefined;
}

/** All changes needed for Codex's hooks. */
export function planCodexWiring({ root, launcher, shared }: CodexWiring): WiringStep[] {
  const file = requireSettingsFile(root, CODEX_HOOKS);
  const forTeam = shared ?? usesSharedCommand(file.settings);
  const command = forTeam ? sharedTimedHookCommand('codex') : timedHookCommand(launcher.dataFolder, 'codex');
  return [
    launcherStep(launcher),
    settingsStep(CODEX_HOOKS, file, withCodexHooks(file.settings, command)),
  ].filter(isThere);
}

export function planCodexUnwiring(root: string): WiringStep[] {
  const file = requireSettingsFile(root, CODEX_HOOKS);
  return [settingsStep(CODEX_HOOKS, file, withoutHooks(file.settings))].filter(isThere);
}

/** Never change these definitions: Codex silently skips a changed hook until the person trusts it again. */
export function withCodexHooks(settings: ClaudeSettings, command: TimedHookCommand): ClaudeSettings {
  const bare = withoutHooks(settings).hooks ?? {};
  const hooks = { ...bare };
  for (const event of CODEX_EVENTS)
    hooks[event] = [...(bare[event] ?? []), { hooks: [codexHandler(event, command)] }];
  return { ...settings, hooks };
}

export function codexHandler(event: string, command: TimedHookCommand): HookHandler {
  if (STOP_EVENTS.includes(event)) return handler(command.stopping, STOP_TIMEOUT);
  if (codexCanBeStopped(event)) return handler(command.refusing, TIMEOUT);
  if (event === 'SessionEnd') return handler(command.letting, SESSION_END_TIMEOUT);
  return handler(event === 'SessionStart' ? command.beginning : command.letting, TIMEOUT);
}

function handler(command: string, timeout: number): HookHandler {
  return { type: 'command', command, timeout };
}

function usesSharedCommand({ hooks = {} }: ClaudeSettings): boolean {
  const { refusing } = sharedTimedHookCommand('codex');
  return (hooks.PreToolUse ?? []).some(({ hooks: handlers = [] }) =>
    handlers.some(({ command }) => command === refusing),
  );
}

export function codexWiringOf(checkout: string): boolean | 'unknown' {
  const reading = readSettingsFile(join(checkout, CODEX_HOOKS));
  if (!reading.ok) return 'unknown';
  return hookedEvents(reading.file.settings).length > 0;
}
